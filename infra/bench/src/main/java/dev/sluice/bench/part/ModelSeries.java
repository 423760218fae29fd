package dev.sluice.bench.part;

import dev.sluice.bench.model.Costs;
import dev.sluice.bench.model.Limits;
import dev.sluice.bench.model.Simulation;
import dev.sluice.bench.part.ModelPoint.Seen;
import dev.sluice.bench.report.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * What was measured, round by round, and at the end what the model says to it. Each round has costs
 * of its own: those of another minute are those of a faster or a slower machine.
 */
final class ModelSeries {
  private static final double FAR_OFF = 0.2;

  private final Map<String, List<Round>> all = new LinkedHashMap<>();

  private record Round(String unit, Seen seen, ToDoubleFunction<Simulation> model) {}

  void add(Bench bench, String name, String unit, Seen seen, ToDoubleFunction<Simulation> model) {
    bench
        .console()
        .say(
            "%s: %,.1f %s, %.2f cores were ours, %.2f ms of them an item",
            name, seen.value(), unit, seen.cores(), seen.cpuMillis());
    all.computeIfAbsent(name, n -> new ArrayList<>()).add(new Round(unit, seen, model));
  }

  /**
   * @param costsOf which costs a round is predicted with; the first has number 0
   */
  void show(Bench bench, IntFunction<Costs> costsOf) {
    bench.console().say("%-24s %10s %10s %9s", "point", "predicted", "measured", "off by");
    all.forEach((name, rounds) -> show(bench, costsOf, name, rounds));
  }

  private static void show(
      Bench bench, IntFunction<Costs> costsOf, String name, List<Round> rounds) {
    var predicted = new ArrayList<Double>();
    var measured = new ArrayList<Double>();
    var errors = new ArrayList<Double>();
    var cores = new ArrayList<Double>();
    for (int n = 0; n < rounds.size(); n++) {
      Seen seen = rounds.get(n).seen();
      var simulation = new Simulation(costsOf.apply(n).on(seen.cores()), Limits.DEFAULT);
      predicted.add(rounds.get(n).model().applyAsDouble(simulation));
      measured.add(seen.value());
      errors.add(predicted.getLast() / seen.value() - 1);
      cores.add(seen.cores());
    }
    double error = Statistics.median(errors);
    bench
        .console()
        .say(
            "%-24s %,10.1f %,10.1f %+8.0f%%%s",
            name,
            Statistics.median(predicted),
            Statistics.median(measured),
            error * 100,
            Math.abs(error) > FAR_OFF ? "  more than 20 percent off" : "");
    String unit = rounds.getFirst().unit();
    bench.rows().add("model." + name + "_predicted", unit, predicted);
    bench.rows().add("model." + name + "_measured", unit, measured);
    bench.rows().add("model." + name + "_error", "ratio", errors);
    bench.rows().add("model." + name + "_cores", "cores", cores);
    bench
        .rows()
        .add(
            "model." + name + "_cpu_ms_per_item",
            "ms",
            rounds.stream().map(round -> round.seen().cpuMillis()).toList());
  }
}
