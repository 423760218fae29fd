package dev.sluice.recovery.stuck;

import dev.sluice.recovery.stuck.StuckLedger.Claim;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds stuck claims in the table itself: those the stream never told, or told nobody. */
public final class Sweep {
  private static final Logger log = LoggerFactory.getLogger(Sweep.class);

  private final StuckLedger ledger;
  private final Redriver redriver;
  private final StuckSettings settings;

  Sweep(StuckLedger ledger, Redriver redriver, StuckSettings settings) {
    this.ledger = ledger;
    this.redriver = redriver;
    this.settings = settings;
  }

  /** Returns how many claims it asked the owners to look at. */
  public int runOnce() throws InterruptedException {
    int found = 0;
    @Nullable Claim last = null;
    while (true) {
      var stuck = ledger.pastTheirLease(settings.lease(), last, settings.batch());
      redriver.redrive(stuck);
      found += stuck.size();
      if (stuck.size() < settings.batch()) {
        break;
      }
      last = stuck.getLast();
    }
    if (found > 0) {
      log.atWarn().addKeyValue("claims", found).log("recovered stale claims");
    }
    return found;
  }
}
