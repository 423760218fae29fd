package dev.sluice.ingest.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Who waits for which execution. A waiter is a parked virtual thread and an entry here, so ten
 * thousand need no more operating system threads than one.
 */
@Component
class Waiters implements SmartLifecycle {
  /** What a waiter waits for. */
  enum Until {
    ROW,
    END
  }

  private final ConcurrentHashMap<UUID, Set<Waiter>> waiters = new ConcurrentHashMap<>();
  private final Semaphore somebody = new Semaphore(0);
  private final AtomicInteger count = new AtomicInteger();
  private final int most;
  private volatile boolean running = true;

  Waiters(MeterRegistry metrics, StatusSettings settings) {
    most = settings.mostWaitersOrDefault();
    Gauge.builder("sluice.status.waiters", count, AtomicInteger::get)
        .description("GETs that wait for an execution")
        .register(metrics);
  }

  /** Register first, then look: what happens in between is not missed. */
  Waiter register(UUID id, Until until) {
    if (count.incrementAndGet() > most) {
      count.decrementAndGet();
      throw new TooManyWaiting(most);
    }
    var waiter = new Waiter(id, until);
    waiters.compute(
        id,
        (key, others) -> {
          Set<Waiter> all = others == null ? ConcurrentHashMap.newKeySet() : others;
          all.add(waiter);
          return all;
        });
    somebody.release();
    return waiter;
  }

  /** It is a row now, and maybe at its end. */
  void wake(UUID id, boolean ended) {
    Set<Waiter> all = waiters.get(id);
    if (all != null) {
      all.forEach(waiter -> waiter.wake(ended));
    }
  }

  Set<UUID> ids() {
    return waiters.keySet();
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  void awaitSomebody() throws InterruptedException {
    somebody.acquire();
    somebody.drainPermits();
  }

  @Override
  public void start() {
    running = true;
  }

  /** Before the web server stops: its phase is an earlier one, and later phases stop first. */
  @Override
  public void stop() {
    running = false;
    waiters.values().forEach(all -> all.forEach(waiter -> waiter.wake(true)));
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }

  /** One that waits. Closing it takes it out. */
  final class Waiter implements AutoCloseable {
    private final UUID id;
    private final Until until;
    private final Semaphore woken = new Semaphore(0);

    private Waiter(UUID id, Until until) {
      this.id = id;
      this.until = until;
    }

    private void wake(boolean ended) {
      if (ended || until == Until.ROW) {
        woken.release();
      }
    }

    /** False when the time passed, or the service stops: then there is no use in waiting on. */
    boolean await(Duration longest) throws InterruptedException {
      if (!running || !woken.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      woken.drainPermits();
      return running;
    }

    @Override
    public void close() {
      count.decrementAndGet();
      waiters.computeIfPresent(
          id,
          (key, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
    }
  }
}
