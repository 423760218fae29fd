package dev.sluice.recovery.relay;

import dev.sluice.recovery.relay.RelayLedger.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far the relay is behind, from every instance, whether a stream runs or not; where it
 * runs, a heartbeat moves the slot on while nothing else happens.
 */
public final class SlotWatch {
  private static final Logger log = LoggerFactory.getLogger(SlotWatch.class);
  private static final Duration SAY_AGAIN_AFTER = Duration.ofMinutes(1);

  /** Of the log the server may keep for us, so much is left when we say so: a fifth. */
  private static final double ALARM_BELOW = 0.2;

  private final RelayLedger ledger;
  private final RelaySettings settings;
  private final RelayMetrics metrics;
  private final BooleanSupplier streaming;
  private long sayNotBefore = System.nanoTime();

  SlotWatch(
      RelayLedger ledger, RelaySettings settings, RelayMetrics metrics, BooleanSupplier streaming) {
    this.ledger = ledger;
    this.settings = settings;
    this.metrics = metrics;
    this.streaming = streaming;
  }

  /** What was measured; empty while there is no slot. */
  public record Reading(long slotLagBytes, Duration relayLag, boolean nearlyLost) {}

  public Optional<Reading> runOnce() {
    if (streaming.getAsBoolean()) {
      ledger.heartbeat(RelayHandler.HEARTBEAT);
    }
    Instant before = Instant.now();
    Optional<Backlog> backlog = ledger.backlog(settings.slot());
    Duration half = Duration.between(before, Instant.now()).dividedBy(2);
    return backlog.map(
        found -> {
          metrics.databaseTime(found.now(), before.plus(half));
          return measured(found);
        });
  }

  private Reading measured(Backlog backlog) {
    metrics.slotLag(backlog.lagBytes());
    Duration quiet = Duration.between(backlog.relayedUntil(), backlog.now());
    // The heartbeat alone keeps it younger than this.
    boolean behind = quiet.compareTo(settings.heartbeat().multipliedBy(3)) > 0;
    if (behind || !streaming.getAsBoolean()) {
      metrics.relayLag(behind ? quiet : Duration.ZERO);
    }
    boolean nearlyLost = isNearlyLost(backlog);
    if (nearlyLost) {
      alarm(backlog);
    }
    return new Reading(backlog.lagBytes(), behind ? quiet : Duration.ZERO, nearlyLost);
  }

  private static boolean isNearlyLost(Backlog backlog) {
    Long left = backlog.safeWalSize();
    return left != null && left < ALARM_BELOW * (left + backlog.lagBytes());
  }

  private void alarm(Backlog backlog) {
    if (System.nanoTime() - sayNotBefore < 0) {
      return;
    }
    sayNotBefore = System.nanoTime() + SAY_AGAIN_AFTER.toNanos();
    log.atError()
        .addKeyValue("alarm", "replication-slot-falls-behind")
        .addKeyValue("slot", settings.slot())
        .addKeyValue("lagBytes", backlog.lagBytes())
        .addKeyValue("bytesLeft", backlog.safeWalSize())
        .log(
            "the server will soon drop the log the relay has not read; then it replays from the"
                + " tables");
  }
}
