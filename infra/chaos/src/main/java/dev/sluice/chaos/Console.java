package dev.sluice.chaos;

import java.io.PrintStream;
import java.time.Duration;

/** Lines with the time since the start. */
final class Console {
  private final PrintStream out;
  private final long began = System.nanoTime();

  Console(PrintStream out) {
    this.out = out;
  }

  void say(String what) {
    Duration since = Duration.ofNanos(System.nanoTime() - began);
    out.printf("%02d:%02d  %s%n", since.toMinutes(), since.toSecondsPart(), what);
    out.flush();
  }
}
