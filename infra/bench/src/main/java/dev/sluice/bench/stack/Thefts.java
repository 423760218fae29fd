package dev.sluice.bench.stack;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When others took a processor from this machine, to some ten milliseconds. What is 4 % of a minute
 * ({@link Stolen}) comes as tens of milliseconds at a time, now and then, during which nothing of
 * ours goes on: the slowest of a hundred requests is one that met with it, whatever is measured.
 */
public final class Thefts implements AutoCloseable {
  /** A tick, the unit in which the system tells. */
  private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(10);

  /** Since the look at the key nothing had been taken, until the look at the value something. */
  private final ConcurrentSkipListMap<Long, Long> times = new ConcurrentSkipListMap<>();

  private final Thread watch = Thread.ofPlatform().daemon().name("thefts").unstarted(this::look);
  private volatile boolean over;

  /** Looks from now on. */
  public static Thefts watched() {
    var thefts = new Thefts();
    thefts.watch.start();
    return thefts;
  }

  private void look() {
    long before = System.nanoTime();
    long known = Stolen.now().stolen();
    while (!over) {
      LockSupport.parkNanos(EVERY);
      long now = System.nanoTime();
      long stolen = Stolen.now().stolen();
      if (stolen != known) {
        noticed(before, now);
      }
      before = now;
      known = stolen;
    }
  }

  void noticed(long from, long to) {
    times.put(from, to);
  }

  /** Whether something was taken between these two times of {@link System#nanoTime}. */
  public boolean between(long from, long to) {
    var last = times.floorEntry(to);
    return last != null && last.getValue() >= from;
  }

  @Override
  public void close() {
    over = true;
  }
}
