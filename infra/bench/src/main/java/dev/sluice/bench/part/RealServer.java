package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import java.util.ArrayList;
import org.HdrHistogram.Histogram;

/**
 * What is compared on the in-memory Temporal, once more on a real one, where a CLI is found. Each
 * round has a dispatcher of its own, which is gone when raw starts are measured: it would listen to
 * what it has started, and that is work for the server.
 */
final class RealServer {
  private static final int ROUNDS = 3;
  private static final int WORKSPACES = DispatchRound.WORKSPACES;

  /** Where a start takes 30 ms, that is a third of a minute. */
  private static final int ITEMS = 600;

  private static final int TO_FIND_THE_BEST = 200;
  private static final int LATENCY_SECONDS = 10;
  private static final int CLOSES = 200;
  private static final int CLOSES_WARM_UP = 50;

  private final Bench bench;
  private final String address;

  private RealServer(Bench bench, String address) {
    this.bench = bench;
    this.address = address;
  }

  interface Measurement {
    void on(RealServer server) throws InterruptedException;
  }

  /** Answers whether there is such a server. */
  static boolean measure(Bench bench, Measurement what) throws InterruptedException {
    var temporal = bench.servers().startRealTemporal();
    if (temporal.isEmpty()) {
      bench.console().say("no temporal CLI is found, so there is no figure for the real server");
      return false;
    }
    try {
      what.on(new RealServer(bench, temporal.get().address()));
      return true;
    } finally {
      bench.servers().endRealTemporal();
    }
  }

  void dispatch() throws InterruptedException {
    int concurrency = RawConcurrency.best(bench, address, TO_FIND_THE_BEST);
    var ratios = new ArrayList<Double>();
    var rates = new ArrayList<Double>();
    try (var raw = RawStarts.with(address)) {
      for (int round = 0; round < ROUNDS; round++) {
        double alone = raw.rate(ITEMS, concurrency);
        double sluice = rate(ITEMS);
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

  private double rate(int items) {
    return DispatchRound.run(bench.servers(), address, false, WORKSPACES, items).perSecond();
  }

  void latency() throws InterruptedException {
    double rate = rate(ITEMS / 2) / 2;
    int count = (int) (rate * LATENCY_SECONDS);
    bench.console().say("latency, real server: at %,.0f/s", rate);
    var p50 = new ArrayList<Double>();
    var p99 = new ArrayList<Double>();
    try (var raw = RawStarts.with(address)) {
      for (int round = 0; round < ROUNDS; round++) {
        Histogram alone = LatencyPart.raw(raw, rate, count, round);
        Histogram sluice = latency(rate, count, round);
        say("latency, real server", alone, sluice);
        p50.add(LatencyPart.ratio(sluice, alone, 50));
        p99.add(LatencyPart.ratio(sluice, alone, 99));
      }
    }
    bench.rows().add("latency.p50_vs_raw_start_real", "ratio", p50);
    bench.rows().add("latency.p99_vs_raw_start_real", "ratio", p99);
  }

  private Histogram latency(double rate, int count, int seed) {
    try (var dispatcher = new StandingDispatcher(bench.servers(), address, false, WORKSPACES)) {
      return dispatcher.latency(rate, count, seed);
    }
  }

  /**
   * Since before the worker's call: when a real server has it is not to be seen from here. A fresh
   * server each time, since a worker is given whatever was left open before.
   */
  static void slotReuse(Bench bench) throws InterruptedException {
    var p50 = new ArrayList<Double>();
    for (int round = 0; round < ROUNDS; round++) {
      boolean measured =
          measure(
              bench,
              server -> {
                Histogram reuse =
                    SlotReusePart.onRealServer(bench, server.address, CLOSES, CLOSES_WARM_UP);
                Histogram alone = SlotReusePart.raw(server.address, CLOSES, CLOSES_WARM_UP);
                server.say("slot reuse, real server", alone, reuse);
                p50.add(LatencyPart.ratio(reuse, alone, 50));
              });
      if (!measured) {
        return;
      }
    }
    bench.rows().add("slot_reuse.p50_vs_raw_start_real", "ratio", p50);
  }

  private void say(String what, Histogram raw, Histogram sluice) {
    bench
        .console()
        .say(
            "%s: raw start p50 %.1f ms, p99 %.1f ms; Sluice p50 %.1f ms, p99 %.1f ms",
            what,
            LatencyPart.millis(raw, 50),
            LatencyPart.millis(raw, 99),
            LatencyPart.millis(sluice, 50),
            LatencyPart.millis(sluice, 99));
  }
}
