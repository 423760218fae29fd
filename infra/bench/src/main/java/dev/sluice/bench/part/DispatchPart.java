package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.List;

/** From a Kafka record to a started workflow, beside the start alone. */
final class DispatchPart implements Part {
  private static final int ROUNDS = 3;

  @Override
  public void run(Bench bench) throws InterruptedException {
    inMemory(bench);
    if (!bench.quick()) {
      real(bench);
    }
  }

  /** Each run has a server of its own, so that none pays for what another left open. */
  private static void inMemory(Bench bench) throws InterruptedException {
    int items = bench.either(3_500, 10_000);
    int concurrency = inMemoryConcurrency(bench);
    var poller = new PollerSeries();
    var ratios = new ArrayList<Double>();
    var rates = new ArrayList<Double>();
    var rawRates = new ArrayList<Double>();
    var statements = new ArrayList<Double>();
    var log = new ArrayList<Double>();
    var dead = new ArrayList<Double>();
    var cpu = new ArrayList<Double>();
    var rawCpu = new ArrayList<Double>();
    for (int round = 0; round <= ROUNDS; round++) {
      Raw alone = rawOnFreshServer(items, concurrency);
      double raw = alone.perSecond();
      DispatchRound.Result sluice = sluiceOnFreshServer(bench, items);
      boolean warmUp = round == 0;
      bench
          .console()
          .say(
              "dispatch%s: raw %,.0f/s, Sluice %,.0f/s, ratio %.2f, %.3f statements an item",
              warmUp ? " (warm-up)" : "",
              raw,
              sluice.perSecond(),
              sluice.perSecond() / raw,
              sluice.statementsPerItem());
      if (!warmUp) {
        poller.round(bench, sluice.perSecond());
        ratios.add(sluice.perSecond() / raw);
        rates.add(sluice.perSecond());
        rawRates.add(raw);
        statements.add(sluice.statementsPerItem());
        log.add(sluice.logBytesPerItem());
        dead.add(sluice.deadRowsPerItem());
        cpu.add(sluice.cpuMillisPerItem());
        rawCpu.add(alone.cpuMillisPerItem());
      }
    }
    bench.dispatchRate(Statistics.median(rates));
    bench.rows().add("dispatch.vs_raw_start", "ratio", ratios);
    poller.show(bench);
    bench.rows().add("dispatch.sql_round_trips_per_item", "statements", statements);
    bench.rows().add("dispatch.rate_per_second", "items/s", rates);
    bench.rows().add("dispatch.raw_rate_per_second", "starts/s", rawRates);
    bench.rows().add("dispatch.cpu_ms_per_item", "ms", cpu);
    bench.rows().add("dispatch.raw_cpu_ms_per_start", "ms", rawCpu);
    bench.rows().add("dispatch.wal_bytes_per_item", "bytes", log);
    bench.rows().add("dispatch.dead_rows_per_item", "rows", dead);
  }

  static int inMemoryConcurrency(Bench bench) throws InterruptedException {
    if (bench.rawConcurrency().isEmpty()) {
      try (var temporal = LocalTemporal.inMemory(0)) {
        bench.rawConcurrency(RawConcurrency.best(bench, temporal.address(), 1_000));
      }
    }
    return bench.rawConcurrency().getAsInt();
  }

  /** Starts alone: the server's share of the work is in the processor's time here, too. */
  record Raw(double perSecond, double cpuMillisPerItem) {}

  private static Raw rawOnFreshServer(int items, int concurrency) throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        var raw = new RawStarts(temporal.address())) {
      var _ = raw.rate(DispatchRound.WORKSPACES, concurrency);
      double before = CpuTime.seconds();
      double rate = raw.rate(items, concurrency);
      return new Raw(rate, (CpuTime.seconds() - before) * 1000 / items);
    }
  }

  static DispatchRound.Result sluiceOnFreshServer(Bench bench, int items) {
    try (var temporal = LocalTemporal.inMemory(0)) {
      return DispatchRound.run(bench.servers(), temporal.address(), false, items);
    }
  }

  private static void real(Bench bench) throws InterruptedException {
    var temporal = bench.servers().realTemporal();
    if (temporal.isEmpty()) {
      bench.console().say("no temporal CLI is found, so there is no figure for the real server");
      return;
    }
    String address = temporal.get().address();
    int items = 1_500;
    int concurrency = RawConcurrency.best(bench, address, 400);
    List<Double> ratios = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    try (var raw = new RawStarts(address)) {
      for (int round = 0; round < ROUNDS; round++) {
        double alone = raw.rate(items, concurrency);
        double sluice = DispatchRound.run(bench.servers(), address, false, items).perSecond();
        bench
            .console()
            .say(
                "dispatch, real server: raw %,.0f/s, Sluice %,.0f/s, ratio %.2f",
                alone, sluice, sluice / alone);
        ratios.add(sluice / alone);
        rates.add(sluice);
      }
    }
    bench.rows().add("dispatch.vs_raw_start_real", "ratio", ratios);
    bench.rows().add("dispatch.rate_per_second_real", "items/s", rates);
  }
}
