package dev.sluice.bench.part;

import dev.sluice.bench.stack.SluiceUp;
import dev.sluice.servers.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./sluice up}: from the command to the first started workflow, and what it weighs then. */
final class StartPart implements Part {
  private static final int ROUNDS = 3;

  @Override
  public void run(Bench bench) throws Exception {
    Path data = Files.createTempDirectory("sluice-bench-up-");
    List<Double> seconds = new ArrayList<>();
    List<Double> megabytes = new ArrayList<>();
    try {
      for (int round = 0; round <= ROUNDS; round++) {
        try (var up = new SluiceUp(data)) {
          double first = up.secondsToFirstDispatch();
          double weight = up.megabytes();
          bench
              .console()
              .say(
                  "start%s: first dispatch after %.1f s, %.0f MB",
                  round == 0 ? " (cold: no data yet)" : "", first, weight);
          if (round > 0) {
            seconds.add(first);
            megabytes.add(weight);
          }
        }
      }
    } finally {
      Folders.delete(data);
    }
    bench.rows().add("start.warm_to_first_dispatch_seconds", "s", seconds);
    bench.rows().add("start.rss_mb", "MB", megabytes);
  }
}
