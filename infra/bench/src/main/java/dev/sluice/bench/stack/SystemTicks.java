package dev.sluice.bench.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The first line of Linux's {@code /proc/stat}: what all processors did since the start. */
final class SystemTicks {
  private static final Path STAT = Path.of("/proc/stat");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private SystemTicks() {}

  static boolean areTold() {
    return Files.isReadable(STAT);
  }

  /** Empty where the system does not tell. */
  static String line() {
    if (!areTold()) {
      return "";
    }
    try (var lines = Files.lines(STAT)) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  static String[] fields(String line) {
    return BLANKS.split(line, -1);
  }
}
