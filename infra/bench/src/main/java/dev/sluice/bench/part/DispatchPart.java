package dev.sluice.bench.part;

import dev.sluice.bench.part.InMemoryDispatch.Compared;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.RenewedTemporal;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** From a Kafka record to a started workflow, beside the start alone. */
final class DispatchPart implements Part {
  private static final int ROUNDS = 3;

  /** The machine's speed may double from one run to the next, so there are many of them. */
  private static final int IN_MEMORY_ROUNDS = 9;

  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

  @Override
  public void run(Bench bench) throws InterruptedException {
    inMemory(bench);
    if (!bench.quick()) {
      var _ = RealServer.measure(bench, RealServer::dispatch);
    }
  }

  private static void inMemory(Bench bench) throws InterruptedException {
    int items = bench.either(3_000, 10_000);
    var series = new Series();
    var poller = new PollerSeries();
    try (var temporal = new RenewedTemporal();
        var dispatcher =
            new StandingDispatcher(
                bench.servers(), temporal.address(), false, DispatchRound.WORKSPACES)) {
      var runs = new InMemoryDispatch(dispatcher, temporal, items);
      // What runs for years is not measured while it is compiled.
      Compiler.bringToRest(runs::warmUp, bench.quick() ? Duration.ZERO : LONGEST_WARM_UP);
      int concurrency = RawConcurrency.inMemory(bench, items / 2);
      Rounds.run(
          bench,
          "dispatch",
          bench.either(ROUNDS, IN_MEMORY_ROUNDS),
          round -> {
            Compared compared = runs.compare(round, concurrency);
            say(bench, compared);
            return () -> series.add(compared);
          });
      for (int round = 0; round < ROUNDS; round++) {
        double sluice =
            bench.quick()
                ? series.rates.get(round)
                : besideOthers(bench, runs, concurrency, series);
        poller.round(bench, sluice);
      }
    }
    // A young dispatcher may reach its median in batches of hundreds and not half of it in small
    // ones: in quick, where it stays young, the slowest round says what it can do.
    bench.dispatchRate(
        bench.quick() ? Collections.min(series.rates) : Statistics.median(series.rates));
    series.show(bench, poller);
    if (!bench.quick()) {
      bench
          .rows()
          .add("dispatch.dead_rows_per_item", "rows", List.of(deadRowsPerItem(bench, items / 2)));
    }
  }

  private static void say(Bench bench, Compared compared) {
    bench
        .console()
        .say(
            "dispatch: raw %,.0f/s, Sluice %,.0f/s, ratio %.2f, %.3f statements an item",
            compared.raw().perSecond(),
            compared.sluice().perSecond(),
            compared.ratio(),
            compared.sluice().statementsPerItem());
  }

  /** Raw starts that have no goal have rounds of their own; answers Sluice's rate in one. */
  private static double besideOthers(
      Bench bench, InMemoryDispatch runs, int concurrency, Series series)
      throws InterruptedException {
    double tuned = runs.tuned(concurrency).perSecond();
    double sluice = runs.sluice().perSecond();
    double alike = runs.alike(concurrency).perSecond();
    bench
        .console()
        .say("dispatch: tuned %,.0f/s, Sluice %,.0f/s, alike %,.0f/s", tuned, sluice, alike);
    series.tunedRatios.add(sluice / tuned);
    series.alikeRatios.add(sluice / alike);
    return sluice;
  }

  /** What the rounds showed. */
  private static final class Series {
    final List<Double> ratios = new ArrayList<>();
    final List<Double> tunedRatios = new ArrayList<>();
    final List<Double> alikeRatios = new ArrayList<>();
    final List<Double> rates = new ArrayList<>();
    final List<Double> rawRates = new ArrayList<>();
    final List<Double> statements = new ArrayList<>();
    final List<Double> log = new ArrayList<>();
    final List<Double> cpu = new ArrayList<>();
    final List<Double> rawCpu = new ArrayList<>();

    void add(Compared compared) {
      StandingDispatcher.Round sluice = compared.sluice();
      ratios.add(compared.ratio());
      rates.add(sluice.perSecond());
      rawRates.add(compared.raw().perSecond());
      statements.add(sluice.statementsPerItem());
      log.add(sluice.logBytesPerItem());
      cpu.add(sluice.cpuMillisPerItem());
      rawCpu.add(compared.raw().cpuMillisPerItem());
    }

    void show(Bench bench, PollerSeries poller) {
      bench.rows().add("dispatch.vs_raw_start", "ratio", ratios);
      if (!bench.quick()) {
        bench.rows().add("dispatch.vs_raw_start_tuned", "ratio", tunedRatios);
        bench.rows().add("dispatch.vs_raw_start_alike", "ratio", alikeRatios);
      }
      poller.show(bench);
      bench.rows().add("dispatch.sql_round_trips_per_item", "statements", statements);
      bench.rows().add("dispatch.rate_per_second", "items/s", rates);
      bench.rows().add("dispatch.raw_rate_per_second", "starts/s", rawRates);
      bench.rows().add("dispatch.cpu_ms_per_item", "ms", cpu);
      bench.rows().add("dispatch.raw_cpu_ms_per_start", "ms", rawCpu);
      bench.rows().add("dispatch.wal_bytes_per_item", "bytes", log);
    }
  }

  private static double deadRowsPerItem(Bench bench, int items) {
    try (var temporal = LocalTemporal.inMemory(0);
        var dispatcher =
            new StandingDispatcher(
                bench.servers(), temporal.address(), false, DispatchRound.WORKSPACES)) {
      var _ = dispatcher.round(items);
      return dispatcher.deadRowsPerItem();
    }
  }

  static StandingDispatcher.Round sluiceOnFreshServer(Bench bench, int items) {
    try (var temporal = LocalTemporal.inMemory(0)) {
      return DispatchRound.run(
          bench.servers(), temporal.address(), false, DispatchRound.WORKSPACES, items);
    }
  }
}
