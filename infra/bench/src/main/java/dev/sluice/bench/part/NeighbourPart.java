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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A quiet workspace's time from produced to started, alone and beside one that enqueues 100 times
 * as much.
 */
final class NeighbourPart implements Part {
  private static final double QUIET_PER_SECOND = 10;
  private static final int TIMES = 100;

  /** Each alone and beside the burst: a machine that is slower for a while is so for both. */
  private static final int PAIRS = 12;

  private static final int REQUESTS = 100;

  /**
   * Sent before each run and not counted: the first one after a collection takes several times as
   * long, which is no neighbour's doing.
   */
  private static final int RUN_IN = 5;

  /** The slowest one of a hundred is chance, the fourth of four hundred less so. */
  private static final int SAMPLES = 3;

  /** The burst has a timetable of its own, and may not be over before the quiet one's. */
  private static final double OUTLASTS = 1.2;

  private static final String LOUD = "loud";
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(90);
  private static final int WARM_UP = 80;

  @Override
  public void run(Bench bench) throws InterruptedException {
    int count = bench.either(50, REQUESTS);
    var pairs = new ArrayList<Pair>();
    try (var neighbours = new Neighbours(bench)) {
      if (!bench.quick()) {
        Compiler.bringToRest(() -> neighbours.quiet(WARM_UP, 0, true), LONGEST_WARM_UP);
      }
      Rounds.run(
          bench,
          "neighbour",
          bench.either(SAMPLES, PAIRS),
          round -> {
            Pair pair = neighbours.pair(count, round);
            bench
                .console()
                .say(
                    "neighbour: alone p50 %.1f ms, p99 %.1f ms; beside a burst p50 %.1f ms, p99"
                        + " %.1f ms",
                    LatencyPart.millis(pair.alone(), 50),
                    LatencyPart.millis(pair.alone(), 99),
                    LatencyPart.millis(pair.beside(), 50),
                    LatencyPart.millis(pair.beside(), 99));
            return () -> pairs.add(pair);
          });
    }
    List<Pair> samples = pooled(pairs, SAMPLES);
    List<Double> alone = samples.stream().map(s -> LatencyPart.millis(s.alone(), 99)).toList();
    List<Double> beside = samples.stream().map(s -> LatencyPart.millis(s.beside(), 99)).toList();
    bench
        .rows()
        .add(
            "neighbour.p99_vs_alone",
            "ratio",
            IntStream.range(0, SAMPLES).mapToObj(n -> beside.get(n) / alone.get(n)).toList());
    bench.rows().add("neighbour.p99_ms_alone", "ms", alone);
    bench.rows().add("neighbour.p99_ms_beside", "ms", beside);
  }

  /** The same timetable twice. */
  record Pair(Histogram alone, Histogram beside) {}

  /** So many samples of them: every third of all in the first, for three, and so on. */
  static List<Pair> pooled(List<Pair> pairs, int samples) {
    List<Pair> pooled =
        Stream.generate(() -> new Pair(OpenLoop.noLatencies(), OpenLoop.noLatencies()))
            .limit(samples)
            .toList();
    for (int n = 0; n < pairs.size(); n++) {
      Pair sample = pooled.get(n % samples);
      sample.alone().add(pairs.get(n).alone());
      sample.beside().add(pairs.get(n).beside());
    }
    return pooled;
  }

  /** Both on one dispatcher, which stays: alone and beside differ by nothing but the burst. */
  private static final class Neighbours implements AutoCloseable {
    private final RenewedTemporal temporal = new RenewedTemporal();
    private final Tables tables;
    private final Requests requests;

    /** A client of its own: what waits behind a burst in one client is no neighbour's matter. */
    private final Requests loudRequests;

    private final StartProbe probe = new StartProbe(false);
    private final Dispatcher dispatcher;
    private final Finisher worker;

    Neighbours(Bench bench) {
      tables = bench.servers().tables();
      requests = new Requests(bench.servers());
      loudRequests = Requests.asKafkaHasThem(bench.servers());
      tables.workspaces(DispatchRound.PREFIX, DispatchRound.WORKSPACES, 1_000_000);
      tables.workspaces(LOUD, 1, 1);
      tables.analyze();
      dispatcher = new Dispatcher(bench.servers(), tables, temporal.address(), probe);
      DispatchRound.warmUp(dispatcher, requests);
      temporal.renew();
      Await.until("all closes are seen", LONGEST_WARM_UP, () -> tables.openWorkflows() == 0);
      worker = new Finisher(temporal.address());
    }

    /** Each of the two comes first in every second pair. */
    Pair pair(int count, int n) throws InterruptedException {
      if (n % 2 == 0) {
        Histogram alone = clearedQuiet(count, n, false);
        return new Pair(alone, clearedQuiet(count, n, true));
      }
      Histogram beside = clearedQuiet(count, n, true);
      return new Pair(clearedQuiet(count, n, false), beside);
    }

    private Histogram clearedQuiet(int count, int seed, boolean burst) throws InterruptedException {
      Heap.clear();
      quiet(RUN_IN, seed, false);
      return quiet(count, seed, burst);
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
              n -> loudRequests.send(Requests.to(LOUD + "0")));
    }

    @Override
    public void close() {
      worker.close();
      dispatcher.close();
      requests.close();
      loudRequests.close();
      tables.close();
      temporal.close();
    }
  }
}
