package dev.sluice.dispatcher;

import java.time.Duration;

/** Lets a thread sleep until somebody has left something for it. */
final class News {
  private boolean any;

  synchronized void tell() {
    any = true;
    notifyAll();
  }

  /**
   * Returns at once when there was news since the last time, else with the next, or after so long.
   */
  synchronized void await(Duration longest) throws InterruptedException {
    long until = System.nanoTime() + longest.toNanos();
    long left;
    while (!any && (left = until - System.nanoTime()) > 0) {
      wait(Math.max(1, Duration.ofNanos(left).toMillis()));
    }
    any = false;
  }
}
