package dev.sluice.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a row should reach.
 *
 * @param atLeast false: at most
 * @param reached so far, where that is worse than the goal: what a regression is measured by
 */
public record Goal(boolean atLeast, double value, double reached) {
  private static final Map<String, Goal> ALL =
      Map.ofEntries(
          Map.entry("dispatch.vs_raw_start", atLeast(0.9).soFar(0.55)),
          Map.entry("dispatch.vs_raw_start_real", atLeast(0.9)),
          Map.entry("dispatch.vs_poller", atLeast(100)),
          Map.entry("dispatch.sql_round_trips_per_item", atMost(0.05)),
          Map.entry("queue.vs_db_scheduler", atLeast(2)),
          Map.entry("queue.vs_jobrunr", atLeast(2)),
          Map.entry("latency.p50_vs_raw_start", atMost(5).soFar(45)),
          Map.entry("latency.p50_vs_raw_start_real", atMost(5)),
          Map.entry("latency.p99_vs_raw_start", atMost(20)),
          Map.entry("latency.p99_vs_raw_start_real", atMost(20)),
          Map.entry("slot_reuse.p50_vs_raw_start", atMost(5).soFar(20)),
          Map.entry("slot_reuse.p50_vs_raw_start_real", atMost(5)),
          Map.entry("backlog.rate_1m_vs_1k", atLeast(0.9)),
          Map.entry("neighbour.p99_vs_alone", atMost(1.1).soFar(3)),
          Map.entry("start.warm_to_first_dispatch_seconds", atMost(20)),
          Map.entry("start.rss_mb", atMost(1500)));

  /** Empty for a row that is only shown. */
  public static Optional<Goal> of(String row) {
    return Optional.ofNullable(ALL.get(row));
  }

  public boolean isMet(double measured) {
    return atLeast ? measured >= value : measured <= value;
  }

  /**
   * A guard against regressions must not fail because the machine was busy for a while: half the
   * goal, or half of what was reached so far, is the floor, and every single run has to be below
   * it.
   */
  public boolean isFarOff(List<Double> samples) {
    return samples.stream().allMatch(s -> atLeast ? s < reached / 2 : s > reached * 2);
  }

  private Goal soFar(double figure) {
    return new Goal(atLeast, value, figure);
  }

  @Override
  public String toString() {
    return (atLeast ? "≥ " : "≤ ") + Figures.show(value);
  }

  private static Goal atLeast(double value) {
    return new Goal(true, value, value);
  }

  private static Goal atMost(double value) {
    return new Goal(false, value, value);
  }
}
