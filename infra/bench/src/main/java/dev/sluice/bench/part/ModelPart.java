package dev.sluice.bench.part;

import dev.sluice.bench.model.Costs;
import dev.sluice.bench.model.Limits;
import dev.sluice.bench.model.Simulation;
import dev.sluice.bench.part.ModelPoint.Seen;
import java.util.List;

/**
 * What the simulation makes of the costs, beside what is measured: one set of costs for all points,
 * and nothing in it that was chosen to make them fit. What differs is how many processors others
 * left to us while a point was measured: on a machine of our own, all of them.
 */
final class ModelPart implements Part {
  private static final int ROUNDS = 3;
  private static final int LATENCY_SECONDS = 3;
  private static final ModelPoint DISPATCH = new ModelPoint("dispatch", 4_000, 500, false);
  private static final List<ModelPoint> OTHERS =
      List.of(
          new ModelPoint("dispatch_10_workspaces", 4_000, 10, false),
          new ModelPoint("queue", 6_000, 500, true),
          new ModelPoint("queue_10_workspaces", 6_000, 10, true));

  @Override
  public void run(Bench bench) throws InterruptedException {
    if (bench.costs().isEmpty()) {
      new CostsPart().run(bench);
    }
    Costs costs = bench.costs().orElseThrow();
    var points = new ModelSeries();
    for (int round = 0; round < ROUNDS; round++) {
      double dispatch = rate(bench, costs, DISPATCH, points);
      for (ModelPoint point : OTHERS) {
        double _ = rate(bench, costs, point, points);
      }
      latency(bench, costs, dispatch / 2, round, points);
    }
    points.show(bench);
  }

  private static double rate(Bench bench, Costs costs, ModelPoint point, ModelSeries points) {
    Seen seen = point.measureRate(bench);
    double predicted = point.predictRate(on(costs, seen));
    points.add(bench, point.name(), "items/s", predicted, seen);
    return seen.value();
  }

  private static void latency(
      Bench bench, Costs costs, double perSecond, int seed, ModelSeries points) {
    var point = new ModelPoint("latency_p50", (int) (perSecond * LATENCY_SECONDS), 500, false);
    Seen seen = point.measureLatency(bench, perSecond, seed);
    double predicted = point.predictLatency(on(costs, seen), perSecond, seed);
    points.add(bench, point.name(), "ms", predicted, seen);
  }

  private static Simulation on(Costs costs, Seen seen) {
    return new Simulation(costs.on(seen.cores()), Limits.DEFAULT);
  }
}
