package dev.sluice.bench.model;

import dev.sluice.dispatcher.ledger.EnterLedger;

/** From records to rows with their slots: by one function for a few, by another for many. */
public record EnterCost(Cost few, Cost many) {
  public static final EnterCost NOTHING = new EnterCost(Cost.NOTHING, Cost.NOTHING);

  Work of(int items, int workspaces) {
    return (items <= EnterLedger.FEW ? few : many).of(items, workspaces);
  }
}
