package dev.sluice.recovery.job;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;

/**
 * A job that runs once in its interval, whichever instance comes first. Each tries four times an
 * interval and the lock stays for three quarters of it, whatever becomes of us: a dead instance
 * delays the job by a quarter of the interval. A round that takes longer may meet another's, which
 * does no harm to any of the jobs.
 */
public final class LockedJob {
  private final String name;
  private final Duration every;
  private final LockProvider locks;
  private final Loop.Round work;
  private final Counter failures;
  private long notBefore = System.nanoTime();

  public LockedJob(
      String name, Duration every, LockProvider locks, MeterRegistry meters, Loop.Round work) {
    this.name = name;
    this.every = every;
    this.locks = locks;
    this.work = work;
    this.failures =
        Counter.builder("sluice.shedlock.acquisition.failures")
            .description("Another instance held the lock, or the database could not be asked")
            .tag("job", name)
            .register(meters);
  }

  public Loop start() {
    return Loop.start(name, every.dividedBy(4), this::runOnce);
  }

  /** False when it was done within this interval, by us or by another instance. */
  public boolean runOnce() throws Exception {
    if (System.nanoTime() - notBefore < 0) {
      return false;
    }
    var lock = locks.lock(configuration());
    if (lock.isEmpty()) {
      failures.increment();
      return false;
    }
    // Our own lock is not one to fail at; the next try but three finds it gone.
    notBefore = System.nanoTime() + every.multipliedBy(7).dividedBy(8).toNanos();
    try {
      work.run();
      return true;
    } finally {
      lock.get().unlock();
    }
  }

  private LockConfiguration configuration() {
    Duration held = every.multipliedBy(3).dividedBy(4);
    return new LockConfiguration(Instant.now(), "recovery-" + name, held, held);
  }
}
