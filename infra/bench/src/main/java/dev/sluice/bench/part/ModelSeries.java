package dev.sluice.bench.part;

import dev.sluice.bench.part.ModelPoint.Seen;
import dev.sluice.bench.report.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Predicted beside measured, round by round. */
final class ModelSeries {
  private static final double FAR_OFF = 0.2;

  private final Map<String, Series> all = new LinkedHashMap<>();

  /** Of one point. */
  private static final class Series {
    final String unit;
    final List<Double> predicted = new ArrayList<>();
    final List<Double> measured = new ArrayList<>();
    final List<Double> errors = new ArrayList<>();
    final List<Double> cores = new ArrayList<>();

    Series(String unit) {
      this.unit = unit;
    }
  }

  void add(Bench bench, String name, String unit, double predicted, Seen seen) {
    double error = predicted / seen.value() - 1;
    bench
        .console()
        .say(
            "%s: predicted %,.1f, measured %,.1f %s (%+.0f %%), %.2f cores were ours",
            name, predicted, seen.value(), unit, error * 100, seen.cores());
    Series series = all.computeIfAbsent(name, n -> new Series(unit));
    series.predicted.add(predicted);
    series.measured.add(seen.value());
    series.errors.add(error);
    series.cores.add(seen.cores());
  }

  void show(Bench bench) {
    bench.console().say("%-24s %10s %10s %9s", "point", "predicted", "measured", "off by");
    all.forEach(
        (name, series) -> {
          double error = Statistics.median(series.errors);
          bench
              .console()
              .say(
                  "%-24s %,10.1f %,10.1f %+8.0f%%%s",
                  name,
                  Statistics.median(series.predicted),
                  Statistics.median(series.measured),
                  error * 100,
                  Math.abs(error) > FAR_OFF ? "  more than 20 percent off" : "");
          bench.rows().add("model." + name + "_predicted", series.unit, series.predicted);
          bench.rows().add("model." + name + "_measured", series.unit, series.measured);
          bench.rows().add("model." + name + "_error", "ratio", series.errors);
          bench.rows().add("model." + name + "_cores", "cores", series.cores);
        });
  }
}
