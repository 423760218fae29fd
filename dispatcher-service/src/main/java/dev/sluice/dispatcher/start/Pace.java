package dev.sluice.dispatcher.start;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many calls may be under way: all of them while it goes well, one at a time with growing
 * pauses while Temporal is away, and after that twice as many with every success until all again.
 * The circuit breaker of this service. Guarded by its owner's lock.
 */
final class Pace {
  /** So many unknown outcomes in a row are an outage; fewer may be a slow item. */
  private static final int UNKNOWNS_OF_AN_OUTAGE = 3;

  /**
   * A start that takes so long waits for the way or for a disk rather than for a processor, which
   * more of them at a time can share. Quick ones are only made slower by others beside them.
   */
  static final Duration SLOW = Duration.ofMillis(50);

  /** Of how many starts the time is averaged, roughly. */
  private static final int RECENT = 32;

  private final int most;
  private final int mostWhenSlow;
  private final Duration firstPause;
  private final Duration longestPause;
  private final LongSupplier nanoTime;
  private int allowed;
  private int underWay;
  private double recentNanos;
  private int failuresInARow;
  private Duration pause = Duration.ZERO;
  private long pausedUntil;

  Pace(
      int most,
      int mostWhenSlow,
      Duration firstPause,
      Duration longestPause,
      LongSupplier nanoTime) {
    this.most = most;
    this.mostWhenSlow = mostWhenSlow;
    this.allowed = most;
    this.firstPause = firstPause;
    this.longestPause = longestPause;
    this.nanoTime = nanoTime;
    this.pausedUntil = nanoTime.getAsLong();
  }

  /** From the first sign of an outage until something succeeds again. */
  boolean isAway() {
    return !pause.isZero();
  }

  boolean tryEnter() {
    if (underWay >= allowed || nanoTime.getAsLong() - pausedUntil < 0) {
      return false;
    }
    underWay++;
    return true;
  }

  /** Entered, but nothing was asked. */
  void leave() {
    underWay--;
  }

  /** One that succeeds. */
  void took(long nanos) {
    recentNanos += (nanos - recentNanos) / RECENT;
  }

  void succeeded() {
    underWay--;
    failuresInARow = 0;
    pause = Duration.ZERO;
    allowed = Math.min(recentNanos > SLOW.toNanos() ? mostWhenSlow : most, allowed * 2);
  }

  /** Answers how long to wait before asking for the same item again. */
  Duration failed(boolean outage) {
    underWay--;
    failuresInARow++;
    if (!outage && failuresInARow < UNKNOWNS_OF_AN_OUTAGE) {
      return firstPause;
    }
    long now = nanoTime.getAsLong();
    if (now - pausedUntil >= 0) { // one pause for all the calls that failed together
      pause = pause.isZero() ? firstPause : min(pause.multipliedBy(2), longestPause);
      pausedUntil = now + pause.toNanos();
      allowed = 1;
    }
    return Duration.ofNanos(pausedUntil - now);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
