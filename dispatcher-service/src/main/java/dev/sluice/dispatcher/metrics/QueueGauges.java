package dev.sluice.dispatcher.metrics;

import dev.sluice.dispatcher.ledger.GaugeLedger;
import dev.sluice.dispatcher.ledger.GaugeLedger.Standing;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** The queue as a whole, counted at most once in a while however often somebody looks. */
public final class QueueGauges {
  private static final Logger log = LoggerFactory.getLogger(QueueGauges.class);
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final GaugeLedger ledger;
  private final LongSupplier nanoTime;
  private Standing last = new Standing(0, 0, 0);
  private long readAt;
  private boolean known;

  public QueueGauges(GaugeLedger ledger, DispatcherMetrics metrics, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.nanoTime = nanoTime;
    metrics.gauge("sluice.queue.pending", "requests that wait", () -> standing().pending());
    metrics.gauge(
        "sluice.queue.oldest.pending.seconds",
        "age of the oldest request that could start but for its workspace's limit",
        () -> standing().oldestSeconds());
    metrics.gauge("sluice.slots.held", "slots held by open workflows", () -> standing().held());
  }

  private synchronized Standing standing() {
    long now = nanoTime.getAsLong();
    if (!known || now - readAt > KEPT.toNanos()) {
      try {
        last = ledger.read();
        known = true;
      } catch (DataAccessException e) {
        log.atDebug().setCause(e).log("gauges show the last figures while PostgreSQL is away");
      }
      readAt = now;
    }
    return last;
  }
}
