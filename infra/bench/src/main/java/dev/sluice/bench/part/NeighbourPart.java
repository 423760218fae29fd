package dev.sluice.bench.part;

import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
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

  private static final String LOUD = "loud";
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

  @Override
  public void run(Bench bench) throws InterruptedException {
    int count = bench.either(50, 250);
    var ratios = new ArrayList<Double>();
    var aloneMillis = new ArrayList<Double>();
    var besideMillis = new ArrayList<Double>();
    try (var neighbours = new Neighbours(bench)) {
      if (!bench.quick()) {
        Compiler.bringToRest(() -> neighbours.quiet(count / 5, 0, true), LONGEST_WARM_UP);
      }
      Rounds.run(
          bench,
          "neighbour",
          ROUNDS,
          bench.either(0, 2),
          round -> {
            Histogram alone = neighbours.quiet(count, round, false);
            Histogram beside = neighbours.quiet(count, round, true);
            double first = LatencyPart.millis(alone, 99);
            double second = LatencyPart.millis(beside, 99);
            bench
                .console()
                .say(
                    "neighbour: alone p50 %.1f ms, p99 %.1f ms; beside a burst p50 %.1f ms, p99"
                        + " %.1f ms",
                    LatencyPart.millis(alone, 50), first, LatencyPart.millis(beside, 50), second);
            return () -> {
              ratios.add(second / first);
              aloneMillis.add(first);
              besideMillis.add(second);
            };
          });
    }
    bench.rows().add("neighbour.p99_vs_alone", "ratio", ratios);
    bench.rows().add("neighbour.p99_ms_alone", "ms", aloneMillis);
    bench.rows().add("neighbour.p99_ms_beside", "ms", besideMillis);
  }

  /** Both on one dispatcher, which stays: alone and beside differ by nothing but the burst. */
  private static final class Neighbours implements AutoCloseable {
    private final LocalTemporal temporal = LocalTemporal.inMemory(0);
    private final Tables tables;
    private final Requests requests;
    private final StartProbe probe = new StartProbe(false);
    private final Dispatcher dispatcher;

    Neighbours(Bench bench) {
      tables = bench.servers().tables();
      requests = new Requests(bench.servers());
      tables.workspaces(DispatchRound.PREFIX, DispatchRound.WORKSPACES, 1_000_000);
      tables.workspaces(LOUD, 1, 1);
      tables.analyze();
      dispatcher = new Dispatcher(bench.servers(), tables, temporal.address(), probe);
      DispatchRound.warmUp(dispatcher, requests);
    }

    Histogram quiet(int count, int seed, boolean burst) throws InterruptedException {
      var loop = new OpenLoop();
      probe.listen(loop::started);
      List<Requests.Request> batch = Requests.round(DispatchRound.PREFIX, 1, count);
      Thread loud = Thread.ofPlatform().unstarted(() -> makeNoise(count * TIMES, seed));
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

    private void makeNoise(int count, int seed) {
      new OpenLoop()
          .run(
              QUIET_PER_SECOND * TIMES,
              count,
              seed,
              n -> LOUD + n,
              n -> requests.send(Requests.to(LOUD + "0")));
    }

    @Override
    public void close() {
      dispatcher.close();
      requests.close();
      tables.close();
      temporal.close();
    }
  }
}
