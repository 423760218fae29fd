package dev.sluice.ingest.lag;

import dev.sluice.contracts.Topics;
import dev.sluice.ingest.publish.KafkaAway;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** How far the dispatchers are behind. Asked by many, it asks the broker once. */
@Service
public class Lag {
  /** A failure is shared like a report: a hundred callers must not wait for it one by one. */
  private record Reading(long startedAt, @Nullable LagReport result, @Nullable KafkaAway failure) {
    LagReport report() {
      if (result == null) {
        throw new KafkaAway(
            "lag not known", failure == null ? new NoSuchElementException() : failure);
      }
      return result;
    }
  }

  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  private final LagReader reader;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Reading last;

  Lag(LagReader reader) {
    this.reader = reader;
  }

  /** At most a second old. */
  public LagReport recent() {
    return notBefore(System.nanoTime() - FRESH);
  }

  /**
   * Whether any request that was acknowledged before this call may still lie in Kafka. A "yes" may
   * be a second old, a "no" may not: it would deny what was accepted in that second.
   */
  public boolean hasUnreadRequests() {
    long now = System.nanoTime();
    Reading known = last;
    LagReport recent = known == null || now - known.startedAt >= FRESH ? null : known.result;
    return (recent != null && isUnread(recent)) || isUnread(notBefore(now));
  }

  private static boolean isUnread(LagReport report) {
    return report.hasUnread(Topics.DISPATCHER_GROUP, Topics.REQUESTS);
  }

  /** Those who wait for the lock share the reading of the first of them. */
  private LagReport notBefore(long earliestStart) {
    Reading known = last;
    if (known != null && known.startedAt - earliestStart >= 0) {
      return known.report();
    }
    reading.lock();
    try {
      known = last;
      if (known == null || known.startedAt - earliestStart < 0) {
        known = read();
        last = known;
      }
      return known.report();
    } finally {
      reading.unlock();
    }
  }

  private Reading read() {
    long startedAt = System.nanoTime();
    try {
      return new Reading(startedAt, reader.read(), null);
    } catch (ExecutionException e) {
      return failed(startedAt, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      return failed(startedAt, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(startedAt, e);
    }
  }

  private static Reading failed(long startedAt, Throwable cause) {
    return new Reading(startedAt, null, new KafkaAway("cannot ask the broker", cause));
  }
}
