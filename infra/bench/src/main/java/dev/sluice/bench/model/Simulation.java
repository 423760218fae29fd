package dev.sluice.bench.model;

import java.util.Arrays;

/** What the costs come to when all of it runs at the same time on a few processors. */
public final class Simulation {
  private final Costs costs;
  private final Limits limits;

  public Simulation(Costs costs, Limits limits) {
    this.costs = costs;
    this.limits = limits;
  }

  /** Items a second, all of them produced at once, in turns to the workspaces. */
  public double rate(int items, int workspaces, boolean atOnce) {
    double[] startedAt = run(new double[items], workspaces, atOnce);
    return items / Arrays.stream(startedAt).max().orElseThrow();
  }

  /** The median of the seconds from produced to started, by this timetable. */
  public double medianLatency(double[] timetable, int workspaces) {
    double[] startedAt = run(timetable, workspaces, false);
    double[] latencies = new double[timetable.length];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = startedAt[i] - timetable[i];
    }
    Arrays.sort(latencies);
    return latencies[latencies.length / 2];
  }

  private double[] run(double[] timetable, int workspaces, boolean atOnce) {
    var processors = new Processors(Math.max(0.01, costs.cores() - costs.background()));
    var pipeline =
        new SimulatedPipeline(processors, costs, limits, workspaces, timetable.length, atOnce);
    var intake = new SimulatedIntake(processors, costs, limits, workspaces, pipeline);
    for (int i = 0; i < timetable.length; i++) {
      int item = i;
      processors.after(timetable[i], () -> intake.produce(item));
    }
    if (!processors.until(pipeline::isDone)) {
      throw new IllegalStateException("the simulation came to a standstill");
    }
    return pipeline.startedAt();
  }
}
