package dev.sluice.bench.part;

import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A quiet workspace's time from produced to started, alone and beside one that enqueues 100 times
 * as much.
 */
final class NeighbourPart implements Part {
  private static final int ROUNDS = 3;
  private static final double QUIET_PER_SECOND = 10;
  private static final int TIMES = 100;

  @Override
  public void run(Bench bench) throws InterruptedException {
    int count = bench.either(50, 250);
    List<Double> ratios = new ArrayList<>();
    List<Double> aloneMillis = new ArrayList<>();
    List<Double> besideMillis = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      Histogram alone = quiet(bench, count, round, false);
      Histogram beside = quiet(bench, count, round, true);
      double first = LatencyPart.millis(alone, 99);
      double second = LatencyPart.millis(beside, 99);
      bench
          .console()
          .say(
              "neighbour%s: alone p50 %.1f ms, p99 %.1f ms; beside a burst p50 %.1f ms, p99 %.1f"
                  + " ms",
              round == 0 ? " (warm-up)" : "",
              LatencyPart.millis(alone, 50),
              first,
              LatencyPart.millis(beside, 50),
              second);
      if (round > 0) {
        ratios.add(second / first);
        aloneMillis.add(first);
        besideMillis.add(second);
      }
    }
    bench.rows().add("neighbour.p99_vs_alone", "ratio", ratios);
    bench.rows().add("neighbour.p99_ms_alone", "ms", aloneMillis);
    bench.rows().add("neighbour.p99_ms_beside", "ms", besideMillis);
  }

  private static Histogram quiet(Bench bench, int count, int seed, boolean burst)
      throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = bench.servers().tables();
        Requests requests = new Requests(bench.servers())) {
      tables.workspaces("w", DispatchRound.WORKSPACES, 1_000_000);
      tables.workspaces("loud", 1, 1);
      tables.analyze();
      var probe = new StartProbe(false);
      try (var dispatcher = new Dispatcher(bench.servers(), tables, temporal.address(), probe)) {
        DispatchRound.warmUp(dispatcher, requests);
        var loop = new OpenLoop();
        probe.listen(loop::started);
        List<Requests.Request> batch = Requests.round("w", 1, count);
        Thread loud = Thread.ofPlatform().unstarted(() -> makeNoise(requests, count * TIMES, seed));
        if (burst) {
          loud.start();
        }
        loop.run(
            QUIET_PER_SECOND,
            count,
            seed,
            n -> batch.get(n).workflowId(),
            n -> requests.send(batch.get(n)));
        Histogram result = loop.result(count);
        if (burst) {
          loud.join();
        }
        return result;
      }
    }
  }

  private static void makeNoise(Requests requests, int count, int seed) {
    new OpenLoop()
        .run(
            QUIET_PER_SECOND * TIMES,
            count,
            seed,
            n -> "loud" + n,
            n -> requests.send(Requests.to("loud0")));
  }
}
