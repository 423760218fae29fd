package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.RenewedTemporal;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Produced → started at half the rate Sluice can do, beside raw starts at that same rate. */
final class LatencyPart implements Part {
  private static final int ROUNDS = 9;
  private static final int WORKSPACES = DispatchRound.WORKSPACES;

  /**
   * With more workflows open the in-memory server is what is measured: each slows down the next.
   */
  private static final int MOST = 2_000;

  /** At the same rate, before what counts: what is compiled at full load is not all of it. */
  private static final int WARM_UP_SECONDS = 2;

  /** Where no part before this one has warmed the dispatcher's code, and found its rate. */
  private static final int WARM_UP_ROUNDS = 3;

  private static final int WARM_UP_ITEMS = 4_000;
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

  @Override
  public void run(Bench bench) throws InterruptedException {
    try (var temporal = new RenewedTemporal();
        var dispatcher =
            new StandingDispatcher(bench.servers(), temporal.address(), false, WORKSPACES)) {
      double most =
          bench.dispatchRate().isPresent()
              ? bench.dispatchRate().getAsDouble()
              : warmedRate(dispatcher, temporal);
      measure(bench, dispatcher, temporal, most);
    }
    if (!bench.quick()) {
      var _ = RealServer.measure(bench, RealServer::latency);
    }
  }

  private static void measure(
      Bench bench, StandingDispatcher dispatcher, RenewedTemporal temporal, double most)
      throws InterruptedException {
    double rate = most / 2;
    int warmUp = (int) (rate * WARM_UP_SECONDS);
    int count = Math.min(MOST, (int) (rate * bench.either(2, 15)));
    bench.console().say("latency at %,.0f/s, half of %,.0f/s", rate, most);
    if (!bench.quick()) {
      Compiler.bringToRest(() -> warmUp(dispatcher, temporal, rate, warmUp), LONGEST_WARM_UP);
    }
    var p50 = new ArrayList<Double>();
    var p99 = new ArrayList<Double>();
    var p50Millis = new ArrayList<Double>();
    var p99Millis = new ArrayList<Double>();
    var rawP50Millis = new ArrayList<Double>();
    Rounds.run(
        bench,
        "latency",
        bench.either(3, ROUNDS),
        round -> {
          Histogram raw = raw(rate, count, round);
          var _ = dispatcher.latency(rate, warmUp, -round - 1);
          Histogram sluice = dispatcher.latency(rate, count, round);
          temporal.renew();
          dispatcher.awaitAllClosed();
          bench
              .console()
              .say(
                  "latency: raw p50 %.2f ms, p99 %.2f ms; Sluice p50 %.2f ms, p99 %.2f ms",
                  millis(raw, 50), millis(raw, 99), millis(sluice, 50), millis(sluice, 99));
          return () -> {
            p50.add(ratio(sluice, raw, 50));
            p99.add(ratio(sluice, raw, 99));
            p50Millis.add(millis(sluice, 50));
            p99Millis.add(millis(sluice, 99));
            rawP50Millis.add(millis(raw, 50));
          };
        });
    bench.rows().add("latency.p50_vs_raw_start", "ratio", p50);
    bench.rows().add("latency.p99_vs_raw_start", "ratio", p99);
    bench.rows().add("latency.p50_ms", "ms", p50Millis);
    bench.rows().add("latency.p99_ms", "ms", p99Millis);
    bench.rows().add("latency.raw_p50_ms", "ms", rawP50Millis);
  }

  private static void warmUp(
      StandingDispatcher dispatcher, RenewedTemporal temporal, double rate, int count)
      throws InterruptedException {
    var _ = dispatcher.round(count);
    var _ = dispatcher.latency(rate, count, 0);
    temporal.renew();
    dispatcher.awaitAllClosed();
    var _ = raw(rate, count / 2, 0);
  }

  static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }

  static double ratio(Histogram one, Histogram other, double percentile) {
    return millis(one, percentile) / millis(other, percentile);
  }

  private static double warmedRate(StandingDispatcher dispatcher, RenewedTemporal temporal) {
    double rate = 0;
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      rate = dispatcher.round(WARM_UP_ITEMS).perSecond();
      temporal.renew();
      dispatcher.awaitAllClosed();
    }
    return rate;
  }

  private static Histogram raw(double rate, int count, int seed) throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        var raw = RawStarts.with(temporal.address())) {
      var _ = raw.rate(WORKSPACES, 16);
      var _ = raw(raw, rate, (int) (rate * WARM_UP_SECONDS), -seed - 1);
      return raw(raw, rate, count, seed);
    }
  }

  static Histogram raw(RawStarts raw, double rate, int count, int seed) {
    var loop = new OpenLoop();
    List<String> ids = Stream.generate(RawStarts::freshId).limit(count).toList();
    raw.probe().listen(loop::started);
    loop.run(rate, count, seed, ids::get, n -> raw.send(ids.get(n), () -> {}));
    return loop.result(count);
  }
}
