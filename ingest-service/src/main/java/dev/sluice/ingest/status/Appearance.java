package dev.sluice.ingest.status;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.ingest.lag.Lag;
import dev.sluice.ingest.publish.FastBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Finds an item by its id, and never denies one that was acknowledged: between the 202 and the row
 * lie Kafka and a dispatcher, which may be slow or down.
 */
@Component
class Appearance {
  private static final int NAME_BASED = 5;

  private final StatusRepository repository;
  private final Waiters waiters;
  private final Lag lag;
  private final FastBuffer fast;
  private final StatusSettings settings;
  private final Clock clock;

  Appearance(
      StatusRepository repository,
      Waiters waiters,
      Lag lag,
      FastBuffer fast,
      StatusSettings settings,
      Clock clock) {
    this.repository = repository;
    this.waiters = waiters;
    this.lag = lag;
    this.fast = fast;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * @param wait how long the caller would wait for the end; the row is waited for at least as long
   */
  Lookup find(UUID id, Duration wait) throws InterruptedException {
    Optional<ItemRow> row = repository.find(id);
    if (row.isPresent()) {
      return new Lookup.Found(row.get());
    }
    boolean young = isYoung(id);
    if (!young && !mayBeOnItsWay(id)) {
      return again(id);
    }
    Duration patience = wait.compareTo(settings.appearance()) > 0 ? wait : settings.appearance();
    row = awaitRow(id, patience);
    if (row.isPresent()) {
      return new Lookup.Found(row.get());
    }
    return young || mayBeOnItsWay(id) ? new Lookup.Accepted(id) : again(id);
  }

  private Lookup again(UUID id) {
    return repository.find(id).<Lookup>map(Lookup.Found::new).orElseGet(Lookup.Unknown::new);
  }

  /** In either direction: the clock of the instance that minted it may be ahead. */
  private boolean isYoung(UUID id) {
    return ExecutionIds.mintedAt(id)
        .map(at -> Duration.between(at, clock.instant()).abs().compareTo(settings.youth()) < 0)
        .orElse(false);
  }

  /** What left the buffer before it was looked at is in Kafka when that is looked at. */
  private boolean mayBeOnItsWay(UUID id) {
    boolean isOurs = id.version() == NAME_BASED || ExecutionIds.mintedAt(id).isPresent();
    return isOurs && (fast.held() > 0 || lag.hasUnreadRequests());
  }

  private Optional<ItemRow> awaitRow(UUID id, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    try (var waiter = waiters.register(id, Waiters.Until.ROW)) {
      Optional<ItemRow> row = repository.find(id);
      while (row.isEmpty() && waiter.await(Duration.ofNanos(deadline - System.nanoTime()))) {
        row = repository.find(id);
      }
      return row;
    }
  }
}
