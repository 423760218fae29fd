package dev.sluice.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the user reads while it runs: a line per part, then one line with every address. */
final class Console {
  private final PrintStream out;

  Console(PrintStream out) {
    this.out = out;
  }

  void say(String line) {
    out.println(line);
  }

  void started(Part part, Duration took) {
    say(String.format(Locale.ROOT, "  %-11s%5.1f s", part.label(), took.toMillis() / 1000.0));
  }

  void ready(List<Running> parts) {
    String addresses =
        parts.stream()
            .map(running -> running.part().label() + "=" + running.shown())
            .collect(Collectors.joining(" "));
    String hint =
        parts.stream()
            .filter(running -> running.part() == Part.INGEST)
            .map(ingest -> " try: " + firstRequest(ingest.address()))
            .collect(Collectors.joining());
    say("ready " + addresses + hint);
  }

  private static String firstRequest(String ingest) {
    return "curl -X PUT %s/v1/workspaces/acme -H 'Content-Type: application/json' -d '{\"plan\":\"PRO\"}'"
        .formatted(ingest);
  }
}
