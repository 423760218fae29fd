package dev.sluice.chaos.stack;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do, which can only be seen by looking. */
public final class Await {
  private static final long BETWEEN_LOOKS = 100;

  private Await() {}

  /** Throws when it does not come true in time. */
  public static void until(String what, Duration longest, BooleanSupplier condition) {
    if (!within(longest, condition)) {
      throw new IllegalStateException(
          "after %d s it is still not so that %s".formatted(longest.toSeconds(), what));
    }
  }

  public static boolean within(Duration longest, BooleanSupplier condition) {
    long deadline = System.nanoTime() + longest.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      pause(Duration.ofMillis(BETWEEN_LOOKS));
    }
    return true;
  }

  public static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
