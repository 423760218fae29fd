package dev.sluice.recovery.stuck;

import dev.sluice.recovery.stuck.StuckLedger.Claim;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the claims that went by in the stream until something else happens to their items. One
 * that is silent for a lease is looked up: only the database says whether it is stuck.
 */
public final class ClaimFollower {
  private static final Logger log = LoggerFactory.getLogger(ClaimFollower.class);
  private static final String CLAIMED = "claimed";

  private final StuckLedger ledger;
  private final Redriver redriver;
  private final StuckSettings settings;

  /** In the order in which they are due, with the time on our own steady clock. */
  private final Map<UUID, Long> due = new LinkedHashMap<>();

  ClaimFollower(
      StuckLedger ledger, Redriver redriver, StuckSettings settings, MeterRegistry meters) {
    this.ledger = ledger;
    this.redriver = redriver;
    this.settings = settings;
    Gauge.builder("sluice.claims.followed", this::size)
        .description("claims seen in the stream and not settled yet")
        .register(meters);
  }

  /** An event of the stream. */
  public synchronized void see(String kind, UUID id) {
    due.remove(id);
    if (kind.equals(CLAIMED)) {
      remember(id, settings.lease());
    }
  }

  private void remember(UUID id, Duration wait) {
    if (due.size() >= settings.followed()) {
      due.remove(due.keySet().iterator().next());
    }
    due.put(id, System.nanoTime() + wait.toNanos());
  }

  private synchronized int size() {
    return due.size();
  }

  /** Returns how many claims it asked the owners to look at. */
  public int runOnce() throws InterruptedException {
    List<UUID> silent = takeDue();
    if (silent.isEmpty()) {
      return 0;
    }
    List<Claim> claimed = ledger.stillClaimed(silent, settings.lease());
    List<Claim> stuck = claimed.stream().filter(Claim::pastLease).toList();
    redriver.redrive(stuck);
    // Taken over meanwhile, or just re-driven: it has another lease.
    Set<UUID> again = new HashSet<>();
    claimed.forEach(claim -> again.add(claim.id()));
    rememberAgain(again);
    stuck.forEach(
        claim ->
            log.atWarn()
                .addKeyValue("execution", claim.id())
                .addKeyValue("workspace", claim.workspaceId())
                .log("re-driving a claim past its lease"));
    return stuck.size();
  }

  private synchronized List<UUID> takeDue() {
    var silent = new ArrayList<UUID>();
    long now = System.nanoTime();
    Iterator<Map.Entry<UUID, Long>> oldestFirst = due.entrySet().iterator();
    while (oldestFirst.hasNext() && silent.size() < settings.batch()) {
      var claim = oldestFirst.next();
      if (claim.getValue() - now > 0) {
        break;
      }
      silent.add(claim.getKey());
      oldestFirst.remove();
    }
    return silent;
  }

  private synchronized void rememberAgain(Set<UUID> ids) {
    ids.stream().filter(id -> !due.containsKey(id)).forEach(id -> remember(id, settings.lease()));
  }
}
