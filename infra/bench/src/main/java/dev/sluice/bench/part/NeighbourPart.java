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
import dev.sluice.bench.stack.Stolen;
import dev.sluice.bench.stack.Tables;
import dev.sluice.bench.stack.Thefts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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
  private static final int MOST_PAIRS = 12;

  /** Of each side: more pairs are measured until so many requests count, if there is time. */
  static final int ENOUGH = 1_200;

  private static final int REQUESTS = 100;

  /**
   * Sent before each run and not counted: the first one after a collection takes several times as
   * long, which is no neighbour's doing.
   */
  private static final int RUN_IN = 5;

  /** A sample has at least so many on each side. */
  private static final int FEWEST = 50;

  /** The slowest one of a hundred is chance, the fourth of four hundred less so. */
  private static final int SAMPLES = 3;

  /** The burst has a timetable of its own, and may not be over before the quiet one's. */
  private static final double OUTLASTS = 1.2;

  private static final String LOUD = "loud";
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(90);
  private static final int WARM_UP = 80;

  /**
   * A request counts if others took nothing from shortly before it was due, so that it is not
   * behind one that was held up, until it has long been started. That is decided by the clock
   * alone: a window that ended with the start would leave out the slow ones first.
   */
  private static final long SINCE = TimeUnit.MILLISECONDS.toNanos(30);

  private static final long UNTIL = TimeUnit.MILLISECONDS.toNanos(60);

  @Override
  public void run(Bench bench) throws InterruptedException {
    int count = bench.either(50, REQUESTS);
    var pairs = new ArrayList<Pair>();
    var stolenPercent = new ArrayList<Double>();
    try (var neighbours = new Neighbours(bench)) {
      if (!bench.quick()) {
        Compiler.bringToRest(() -> neighbours.quiet(WARM_UP, 0, true), LONGEST_WARM_UP);
      }
      while (!isEnough(pairs, bench.either(SAMPLES, MOST_PAIRS))) {
        var stolen = new Stolen();
        Pair pair = neighbours.pair(count, pairs.size());
        stolenPercent.add(stolen.share() * 100);
        pairs.add(pair);
        bench.console().say("neighbour: alone %s; beside a burst %s", pair.alone(), pair.beside());
      }
    }
    List<Pair> samples = pooled(pairs, SAMPLES);
    if (!samples.stream().allMatch(Pair::hasFree)) {
      bench.console().say("neighbour: others took processors nearly all the time, so all count");
      samples = samples.stream().map(Pair::asIfFree).toList();
    }
    List<Pair> all = pooled(samples, 1);
    bench.rows().add("neighbour.p99_vs_alone", "ratio", each(samples, s -> s.ratio(99)));
    bench.rows().add("neighbour.p99_vs_alone_of_all", "ratio", each(all, s -> s.ratio(99)));
    bench.rows().add("neighbour.p90_vs_alone", "ratio", each(samples, s -> s.ratio(90)));
    bench.rows().add("neighbour.p99_ms_alone", "ms", each(samples, s -> s.alone().p99()));
    bench.rows().add("neighbour.p99_ms_beside", "ms", each(samples, s -> s.beside().p99()));
    bench.rows().add("neighbour.p99_vs_alone_held_up", "ratio", each(samples, Pair::ratioOfAll));
    bench.rows().add("neighbour.held_up_percent", "%", each(pairs, Pair::heldUpPercent));
    bench.rows().add("neighbour.stolen_percent", "%", stolenPercent);
  }

  static boolean isEnough(List<Pair> pairs, int most) {
    return pairs.size() >= most
        || Stream.<Function<Pair, Run>>of(Pair::alone, Pair::beside)
            .allMatch(
                side ->
                    pairs.stream().map(side).mapToLong(run -> run.free().getTotalCount()).sum()
                        >= ENOUGH);
  }

  private static List<Double> each(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
    return pairs.stream().map(figure::applyAsDouble).toList();
  }

  /**
   * @param free of those requests during which others took nothing
   */
  record Run(Histogram all, Histogram free) {
    static Run none() {
      return new Run(OpenLoop.noLatencies(), OpenLoop.noLatencies());
    }

    void add(Run other) {
      all.add(other.all);
      free.add(other.free);
    }

    double p99() {
      return LatencyPart.millis(free, 99);
    }

    @Override
    public String toString() {
      return "p50 %.1f ms, p99 %.1f ms of %d (of all %d %.1f ms)"
          .formatted(
              LatencyPart.millis(free, 50),
              p99(),
              free.getTotalCount(),
              all.getTotalCount(),
              LatencyPart.millis(all, 99));
    }
  }

  /** The same timetable twice. */
  record Pair(Run alone, Run beside) {
    boolean hasFree() {
      return Stream.of(alone, beside).allMatch(run -> run.free().getTotalCount() >= FEWEST);
    }

    Pair asIfFree() {
      return new Pair(new Run(alone.all(), alone.all()), new Run(beside.all(), beside.all()));
    }

    double ratio(double percentile) {
      return LatencyPart.ratio(beside.free(), alone.free(), percentile);
    }

    double ratioOfAll() {
      return LatencyPart.ratio(beside.all(), alone.all(), 99);
    }

    double heldUpPercent() {
      double free = alone.free().getTotalCount() + beside.free().getTotalCount();
      return 100 * (1 - free / (alone.all().getTotalCount() + beside.all().getTotalCount()));
    }
  }

  /** So many samples of them: every third of all in the first, for three, and so on. */
  static List<Pair> pooled(List<Pair> pairs, int samples) {
    List<Pair> pooled =
        Stream.generate(() -> new Pair(Run.none(), Run.none())).limit(samples).toList();
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
    private final Thefts thefts = Thefts.watched();
    private final Dispatcher dispatcher;
    private final Finisher worker;

    Neighbours(Bench bench) {
      tables = bench.servers().tables();
      requests = new Requests(bench.servers().kafka());
      loudRequests = Requests.asKafkaHasThem(bench.servers().kafka());
      tables.workspaces(DispatchRound.PREFIX, DispatchRound.WORKSPACES, 1_000_000);
      tables.workspaces(LOUD, 1, 1);
      tables.analyze();
      dispatcher = new Dispatcher(bench.servers().kafka(), tables, temporal.address(), probe);
      DispatchRound.warmUp(dispatcher, requests);
      temporal.renew();
      Await.until("all closes are seen", LONGEST_WARM_UP, () -> tables.openWorkflows() == 0);
      worker = new Finisher(temporal.address());
    }

    /** Each of the two comes first in every second pair. */
    Pair pair(int count, int n) throws InterruptedException {
      if (n % 2 == 0) {
        Run alone = clearedQuiet(count, n, false);
        return new Pair(alone, clearedQuiet(count, n, true));
      }
      Run beside = clearedQuiet(count, n, true);
      return new Pair(clearedQuiet(count, n, false), beside);
    }

    private Run clearedQuiet(int count, int seed, boolean burst) throws InterruptedException {
      Heap.clear();
      quiet(RUN_IN, seed, false);
      return quiet(count, seed, burst);
    }

    Run quiet(int count, int seed, boolean burst) throws InterruptedException {
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
      Histogram all = loop.result(count);
      if (burst) {
        loud.join();
      }
      closer.join();
      return new Run(all, loop.latencies(due -> !thefts.between(due - SINCE, due + UNTIL)));
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
      thefts.close();
      worker.close();
      dispatcher.close();
      requests.close();
      loudRequests.close();
      tables.close();
      temporal.close();
    }
  }
}
