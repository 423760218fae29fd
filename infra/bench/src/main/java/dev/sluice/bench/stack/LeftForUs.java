package dev.sluice.bench.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * How many processors others leave to us: what we used, and what nobody did. On a machine of our
 * own that is all of them.
 */
public final class LeftForUs {
  private static final Path STAT = Path.of("/proc/stat");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** {@code cpu user nice system idle iowait …} */
  private static final int IDLE = 4;

  private static final int IO_WAIT = 5;
  private static final double TICKS_PER_SECOND = 100;

  private final long began = System.nanoTime();
  private final double used = CpuTime.seconds();
  private final double idle = idleSeconds();

  /** Since this was made. */
  public double cores() {
    int all = Runtime.getRuntime().availableProcessors();
    if (!Files.isReadable(STAT)) {
      return all;
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    double left = (CpuTime.seconds() - used + idleSeconds() - idle) / seconds;
    return Math.min(all, left);
  }

  private static double idleSeconds() {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    try (var lines = Files.lines(STAT)) {
      return idleSeconds(lines.findFirst().orElse(""));
    } catch (IOException e) {
      return 0;
    }
  }

  static double idleSeconds(String line) {
    String[] fields = BLANKS.split(line, -1);
    return fields.length <= IO_WAIT
        ? 0
        : (Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT])) / TICKS_PER_SECOND;
  }
}
