package dev.sluice.bench.part;

import dev.sluice.bench.model.Costs;
import dev.sluice.bench.model.Limits;
import dev.sluice.bench.model.Simulation;
import dev.sluice.bench.part.ModelPoint.Seen;
import dev.sluice.bench.stack.Compiler;
import java.time.Duration;
import java.util.List;

/**
 * What the simulation makes of the costs, beside what is measured: one set of costs for all points
 * of a round, measured just before and just after it (where the part {@code costs} ran before, its
 * costs for all rounds), and nothing in it that was chosen to make them fit. What differs is how
 * many processors others left to us while a point was measured: on a machine of our own, all of
 * them.
 */
final class ModelPart implements Part {
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(90);
  private static final int ROUNDS = 3;
  private static final int LATENCY_SECONDS = 3;

  /**
   * In small batches an item costs two to three times as much as in large ones: at a third of the
   * highest rate a dispatcher as young as this one was 83 % busy, and its median 4, 9 or 24 ms.
   */
  private static final double OF_THE_HIGHEST_RATE = 1.0 / 4;

  /** About what {@link #OF_THE_HIGHEST_RATE} comes to. */
  private static final double WARM_UP_PER_SECOND = 400;

  private static final ModelPoint DISPATCH = new ModelPoint("dispatch", 4_000, 500, false);
  private static final List<ModelPoint> RATES =
      List.of(
          DISPATCH,
          new ModelPoint("dispatch_10_workspaces", 4_000, 10, false),
          new ModelPoint("queue", 6_000, 500, true),
          new ModelPoint("queue_10_workspaces", 6_000, 10, true));

  @Override
  public void run(Bench bench) throws InterruptedException {
    var points = new ModelSeries();
    if (bench.costs().isPresent()) {
      Costs costs = bench.costs().orElseThrow();
      for (int round = 0; round < ROUNDS; round++) {
        measure(bench, round, points);
      }
      points.show(bench, round -> costs);
    } else {
      bench.costs(measureBoth(bench, points));
    }
    extrapolate(bench, bench.costs().orElseThrow());
  }

  /**
   * In turns, so that what others do to this machine meanwhile is done to both: a round has the
   * pass of its own number before it, and the next one after it. Answers the medians of all passes.
   */
  private static Costs measureBoth(Bench bench, ModelSeries points) throws InterruptedException {
    try (var costs = new CostPasses(bench)) {
      costs.pass(); // warm-up
      Compiler.bringToRest(() -> warmUp(bench), LONGEST_WARM_UP);
      costs.pass();
      for (int round = 0; round < ROUNDS; round++) {
        measure(bench, round, points);
        costs.pass();
      }
      Costs ofAll = costs.show();
      points.show(bench, round -> costs.of(round, round + 1));
      return ofAll;
    }
  }

  /** All of the points: small requests use code of their own, which is compiled late. */
  private static void warmUp(Bench bench) throws InterruptedException {
    for (ModelPoint point : RATES) {
      var _ = point.measureRate(bench);
    }
    var _ = latencyAt(WARM_UP_PER_SECOND).measureLatency(bench, WARM_UP_PER_SECOND, 0);
  }

  private static void measure(Bench bench, int round, ModelSeries points)
      throws InterruptedException {
    double most = 0;
    for (ModelPoint point : RATES) {
      Seen seen = point.measureRate(bench);
      points.add(bench, point.name(), "items/s", seen, point::predictRate);
      most = point == DISPATCH ? seen.value() : most;
    }
    double perSecond = bench.dispatchRate().orElse(most) * OF_THE_HIGHEST_RATE;
    ModelPoint latency = latencyAt(perSecond);
    points.add(
        bench,
        latency.name(),
        "ms",
        latency.measureLatency(bench, perSecond, round),
        simulation -> latency.predictLatency(simulation, perSecond, round));
  }

  private static ModelPoint latencyAt(double perSecond) {
    return new ModelPoint("latency_p50", (int) (perSecond * LATENCY_SECONDS), 500, false);
  }

  /** One dispatcher where it has enough of everything; {@code docs/scaling.md} counts with this. */
  private static void extrapolate(Bench bench, Costs costs) {
    for (int millis : new int[] {5, 10, 20}) {
      Costs elsewhere = costs.on(8).withTemporalElsewhere(millis / 1000.0);
      double rate = new Simulation(elsewhere, Limits.DEFAULT).rate(20_000, 10_000, false);
      bench
          .console()
          .say(
              "never measured: 8 cores, a Temporal elsewhere that takes %d ms: %,.0f items/s",
              millis, rate);
      bench
          .rows()
          .add("model.extrapolated_temporal_%dms".formatted(millis), "items/s", List.of(rate));
    }
  }
}
