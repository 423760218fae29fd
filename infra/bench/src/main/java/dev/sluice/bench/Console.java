package dev.sluice.bench;

import dev.sluice.bench.report.Machine;
import dev.sluice.bench.stack.Stolen;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Progress: lines with the time since the start, the load of the machine and, since the line
 * before, what others took of its processors.
 */
public final class Console {
  private final PrintStream out;
  private final long began = System.nanoTime();
  private Stolen stolen = new Stolen();

  public Console(PrintStream out) {
    this.out = out;
  }

  public synchronized void say(String format, Object... values) {
    double taken = stolen.share() * 100;
    stolen = new Stolen();
    Duration since = Duration.ofNanos(System.nanoTime() - began);
    out.printf(
        Locale.ROOT,
        "%02d:%02d  load %4.1f  stolen %2.0f %%  %s%n",
        since.toMinutes(),
        since.toSecondsPart(),
        Machine.load(),
        taken,
        String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
