package dev.sluice.bench.stack;

/**
 * How many processors others leave to us: what we used, and what nobody did. On a machine of our
 * own that is all of them, but for what the JVM's compiler has.
 */
public final class LeftForUs {
  /** {@code cpu user nice system idle iowait …} */
  private static final int IDLE = 4;

  private static final int IO_WAIT = 5;
  private static final double TICKS_PER_SECOND = 100;

  private final long began = System.nanoTime();
  private final double used = CpuTime.seconds();
  private final double idle = idleSeconds();
  private final double compiled = Compiler.seconds();

  /** Since this was made. */
  public double cores() {
    int all = Runtime.getRuntime().availableProcessors();
    if (!SystemTicks.areTold()) {
      return all;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    double left =
        (CpuTime.seconds() - used + idleSeconds() - idle - (Compiler.seconds() - compiled))
            / seconds;
    // The compiler's time is told in whole milliseconds, which may be more than have passed.
    return Math.clamp(left, 0, all);
  }

  private static double idleSeconds() {
    return idleSeconds(SystemTicks.line());
  }

  static double idleSeconds(String line) {
    String[] fields = SystemTicks.fields(line);
    return fields.length <= IO_WAIT
        ? 0
        : (Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT])) / TICKS_PER_SECOND;
  }
}
