package dev.sluice.bench.stack;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do, which can only be seen by looking. */
public final class Await {
  /** Seldom enough that looking costs nothing that is measured. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private Await() {}

  /** Throws when it does not come true in time: then there is no figure. */
  public static void until(String what, Duration longest, BooleanSupplier condition) {
    long deadline = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException(
            "after %d s it is still not so that %s".formatted(longest.toSeconds(), what));
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
