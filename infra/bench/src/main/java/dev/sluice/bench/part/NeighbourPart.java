package dev.sluice.bench.part;

import static java.util.stream.Collectors.toSet;

import dev.sluice.bench.stack.Await;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Finisher;
import dev.sluice.bench.stack.Heap;
import dev.sluice.bench.stack.RenewedTemporal;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.HdrHistogram.Histogram;

/**
 * A quiet workspace's time from produced to started, alone and beside one that enqueues 100 times
 * as much.
 */
final class NeighbourPart implements Part {
  /** The slowest four of 400 are a noisy figure, so there are more of them. */
  private static final int ROUNDS = 5;

  private static final double QUIET_PER_SECOND = 10;
  private static final int TIMES = 100;

  /** The burst has a timetable of its own, and may not be over before the quiet one's. */
  private static final double OUTLASTS = 1.2;

  private static final String LOUD = "loud";
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(2);

  /**
   * The machine's speed changes from one half-minute to the next, so a round is cut into slices
   * that take turns.
   */
  private static final int SLICES = 4;

  private static final int WARM_UP = 80;

  @Override
  public void run(Bench bench) throws InterruptedException {
    int slices = bench.either(1, SLICES);
    int count = bench.either(50, 400) / slices;
    var ratios = new ArrayList<Double>();
    var aloneMillis = new ArrayList<Double>();
    var besideMillis = new ArrayList<Double>();
    try (var neighbours = new Neighbours(bench)) {
      if (!bench.quick()) {
        Compiler.bringToRest(() -> neighbours.quiet(WARM_UP, 0, true), LONGEST_WARM_UP);
      }
      Rounds.run(
          bench,
          "neighbour",
          ROUNDS,
          bench.either(0, 2),
          round -> {
            Histogram alone = OpenLoop.noLatencies();
            Histogram beside = OpenLoop.noLatencies();
            for (Slice slice : slices(round, slices)) {
              Heap.clear();
              (slice.burst() ? beside : alone)
                  .add(neighbours.quiet(count, slice.seed(), slice.burst()));
            }
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

  /**
   * A part of a round.
   *
   * @param seed of its timetable
   * @param burst beside the loud workspace
   */
  record Slice(int seed, boolean burst) {}

  /**
   * So many of each kind. Each comes first as often as the other, and the two of a pair have the
   * same timetable.
   */
  static List<Slice> slices(int round, int ofEach) {
    var slices = new ArrayList<Slice>();
    for (int n = 0; n < ofEach; n++) {
      int seed = round * ofEach + n;
      boolean burstFirst = n % 2 == 1;
      slices.add(new Slice(seed, burstFirst));
      slices.add(new Slice(seed, !burstFirst));
    }
    return slices;
  }

  /** Both on one dispatcher, which stays: alone and beside differ by nothing but the burst. */
  private static final class Neighbours implements AutoCloseable {
    private final RenewedTemporal temporal = new RenewedTemporal();
    private final Tables tables;
    private final Requests requests;
    private final StartProbe probe = new StartProbe(false);
    private final Dispatcher dispatcher;
    private final Finisher worker;

    Neighbours(Bench bench) {
      tables = bench.servers().tables();
      requests = new Requests(bench.servers());
      tables.workspaces(DispatchRound.PREFIX, DispatchRound.WORKSPACES, 1_000_000);
      tables.workspaces(LOUD, 1, 1);
      tables.analyze();
      dispatcher = new Dispatcher(bench.servers(), tables, temporal.address(), probe);
      DispatchRound.warmUp(dispatcher, requests);
      temporal.renew();
      Await.until("all closes are seen", LONGEST_WARM_UP, () -> tables.openWorkflows() == 0);
      worker = new Finisher(temporal.address());
    }

    Histogram quiet(int count, int seed, boolean burst) throws InterruptedException {
      var loop = new OpenLoop();
      List<Requests.Request> batch = Requests.round(DispatchRound.PREFIX, 1, count);
      var started = new LinkedBlockingQueue<String>();
      Set<String> quiet = batch.stream().map(Requests.Request::workflowId).collect(toSet());
      probe.listen(
          (workflowId, nanos) -> {
            loop.started(workflowId, nanos);
            if (quiet.contains(workflowId)) {
              started.add(workflowId);
            }
          });
      Thread closer = Thread.ofPlatform().start(() -> completeAll(started, count, loop));
      Thread loud =
          Thread.ofPlatform().unstarted(() -> makeNoise((int) (count * TIMES * OUTLASTS), seed));
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
      closer.join();
      return result;
    }

    /**
     * As they come, as the workflows of a quiet workspace do. With hundreds of them left open, the
     * in-memory Temporal would have a thread for every call that listened to one in the last 20 s,
     * thousands of them, and each of this JVM's collections would stop everything for 100 ms.
     */
    private void completeAll(BlockingQueue<String> started, int count, OpenLoop loop) {
      try {
        for (int n = 0; n < count; n++) {
          String workflowId = started.take();
          worker.awaitTask(workflowId);
          worker.complete(workflowId);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        loop.failed(e); // with workflows left open this is no round to compare
      }
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
      worker.close();
      dispatcher.close();
      requests.close();
      tables.close();
      temporal.close();
    }
  }
}
