package dev.sluice.bench.stack;

/**
 * What others took of this machine's processors: other guests of the same host, which no load
 * average shows. Nothing where the system does not tell.
 */
public final class Stolen {
  /** {@code cpu user nice system idle iowait irq softirq steal …} */
  private static final int FIRST = 1;

  private static final int STEAL = 8;

  private final Ticks began = now();

  /** Of all processors, taken and in total, since the machine was started. */
  record Ticks(long stolen, long all) {}

  /** Since this was made: 0 for nothing, 1 for everything. */
  public double share() {
    Ticks now = now();
    long all = now.all() - began.all();
    return all <= 0 ? 0 : (now.stolen() - began.stolen()) / (double) all;
  }

  static Ticks now() {
    return ticks(SystemTicks.line());
  }

  static Ticks ticks(String line) {
    String[] fields = SystemTicks.fields(line);
    if (fields.length <= STEAL) {
      return new Ticks(0, 0);
    }
    long all = 0;
    for (int n = FIRST; n <= STEAL; n++) {
      all += Long.parseLong(fields[n]);
    }
    return new Ticks(Long.parseLong(fields[STEAL]), all);
  }
}
