package dev.sluice.bench.part;

import dev.sluice.bench.baseline.Poller;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sluice beside the classic design, as it is and tuned. */
final class PollerSeries {
  private final List<Double> asItIs = new ArrayList<>();
  private final List<Double> tuned = new ArrayList<>();
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> tunedRates = new ArrayList<>();

  void round(Bench bench, double sluice) throws InterruptedException {
    double classic = poll(bench, Poller.AS_IT_IS, Duration.ofSeconds(bench.either(5, 10)), 1_000);
    double best = poll(bench, Poller.TUNED, Duration.ofSeconds(bench.either(2, 6)), 20_000);
    bench.console().say("poller: as it is %.1f/s, tuned %,.0f/s", classic, best);
    asItIs.add(sluice / classic);
    tuned.add(sluice / best);
    rates.add(classic);
    tunedRates.add(best);
  }

  void show(Bench bench) {
    bench.rows().add("dispatch.vs_poller", "ratio", asItIs);
    bench.rows().add("dispatch.vs_poller_tuned", "ratio", tuned);
    bench.rows().add("poller.rate_per_second", "items/s", rates);
    bench.rows().add("poller.tuned_rate_per_second", "items/s", tunedRates);
  }

  private static double poll(Bench bench, Poller.Settings settings, Duration time, int items)
      throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = bench.servers().emptyTables(4);
        var poller = new Poller(tables, temporal.address(), settings)) {
      poller.fill(items);
      return poller.rate(time);
    }
  }
}
