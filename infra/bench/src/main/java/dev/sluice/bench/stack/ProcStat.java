package dev.sluice.bench.stack;

/**
 * Linux's {@code /proc/PID/stat}. Java's own {@link ProcessHandle} does not tell what the children
 * used that have ended: PostgreSQL's autovacuum workers and closed sessions.
 *
 * @param own processor time of the process, in ticks
 * @param children of those of its children that have ended, in ticks
 */
record ProcStat(long own, long children) {
  /** USER_HZ, the unit of this file on every architecture that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Fields 14 to 17, of which the first after the name is the third. */
  private static final int USER = 14 - 3;

  static ProcStat parse(String line) {
    // The name is in brackets and may itself have spaces and brackets in it.
    String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
    return new ProcStat(
        Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]),
        Long.parseLong(fields[USER + 2]) + Long.parseLong(fields[USER + 3]));
  }

  double seconds() {
    return (own + children) / TICKS_PER_SECOND;
  }
}
