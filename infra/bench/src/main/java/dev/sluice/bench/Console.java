package dev.sluice.bench;

import dev.sluice.bench.report.Machine;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Progress: lines with the time since the start and the load of the machine. */
public final class Console {
  private final PrintStream out;
  private final long began = System.nanoTime();

  public Console(PrintStream out) {
    this.out = out;
  }

  public void say(String format, Object... values) {
    Duration since = Duration.ofNanos(System.nanoTime() - began);
    out.printf(
        Locale.ROOT,
        "%02d:%02d  load %4.1f  %s%n",
        since.toMinutes(),
        since.toSecondsPart(),
        Machine.load(),
        String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
