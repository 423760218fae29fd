package dev.sluice.local;

import dev.sluice.servers.CannotStart;
import java.nio.file.Path;

/** Turns a failed start into one sentence; the whole story is in the log. */
final class StartFailure {
  private static final int LONGEST = 300;

  private StartFailure() {}

  static String sentence(Throwable failure, Path log) {
    String what = "It";
    Throwable cause = failure;
    while (true) {
      if (cause instanceof CannotStart said) {
        return String.valueOf(said.getMessage());
      }
      if (cause instanceof PartFailed failed) {
        what = failed.part().label();
      }
      Throwable deeper = cause.getCause();
      if (deeper == null || deeper == cause) {
        return "%s did not start: %s (%s has the details).".formatted(what, firstLine(cause), log);
      }
      cause = deeper;
    }
  }

  private static String firstLine(Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String line = message.lines().findFirst().orElse(cause.getClass().getSimpleName());
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
