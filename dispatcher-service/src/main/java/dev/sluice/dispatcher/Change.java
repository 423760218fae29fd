package dev.sluice.dispatcher;

import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.SettleLedger.Release;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All that one transaction of the pipeline changes. */
record Change(
    List<Close> closes,
    List<Named> unknown,
    List<Release> releases,
    List<String> unpark,
    List<Ask> asks) {
  Set<String> workspaces() {
    var all = new HashSet<String>();
    closes.forEach(c -> all.add(c.workspaceId()));
    unknown.forEach(u -> all.add(u.workspaceId()));
    releases.forEach(r -> all.add(r.workspaceId()));
    all.addAll(unpark);
    asks.forEach(a -> all.add(a.workspaceId()));
    return all;
  }

  boolean isFinishAndAdmit() {
    return !closes.isEmpty() && unknown.isEmpty() && releases.isEmpty() && unpark.isEmpty();
  }
}
