package dev.sluice.bench.part;

import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Heap;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Stolen;
import dev.sluice.bench.stack.Tables;
import dev.sluice.dispatcher.Pipeline;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The same work, once with few rows waiting and once with a million: a request comes for a
 * workspace that has one slot free and somebody in line, who gets it, and waits. So there are as
 * many waiting afterwards as before. What is started returns at once: Temporal would only hide the
 * difference.
 *
 * <p>With few waiting there are as few workspaces with somebody in line, so the requests come in
 * waves, one for each of these. What it costs that somebody is in line at all is another question,
 * with a row of its own: other workspaces have nobody in line in the one database, where a request
 * gets its slot with its row, and a hundred in the other.
 */
final class BacklogPart implements Part {
  private static final int ROUNDS = 5;
  private static final int WORKSPACES = 10_000;
  private static final int MANY = 1_000_000;
  private static final int FEW = 1_000;

  /** That count. More are sent until so many were quiet, but no more than the other number. */
  private static final int WAVES = 8;

  private static final int MOST_WAVES = 24;
  private static final String PREFIX = "b";

  /** Those with somebody in line in either database. */
  private static final List<String> IN_LINE = workspaces(0, FEW);

  private static final List<String> ELSEWHERE = workspaces(WORKSPACES / 2, WORKSPACES);

  private static final String WAITING =
      """
      insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version, state, priority, input)
      select gen_random_uuid(), ? || (n - 1) %% %d, '%s', 1, 'PENDING', 5, '{}' from generate_series(1, ?) n
      """
          .formatted(WORKSPACES, Tables.DEFINITION);

  private static final String ONE_SLOT_MORE =
      "update workspace set concurrency_limit = concurrency_limit + 1, paused_at = now() where id ="
          + " any(?)";

  /**
   * @param stolen by others meanwhile, of all processors
   */
  record Wave(double seconds, double stolen) {}

  static boolean isEnough(List<Wave> waves) {
    return waves.size() == MOST_WAVES
        || waves.stream().filter(wave -> wave.stolen() <= Rounds.MUCH).count() == WAVES;
  }

  /** Of those of which others took least; how long it took has no say in it. */
  static List<Double> secondsOfQuietest(List<Wave> waves) {
    return waves.stream()
        .sorted(Comparator.comparingDouble(Wave::stolen))
        .limit(WAVES)
        .map(Wave::seconds)
        .toList();
  }

  /** With so many waiting; the heap is what the dispatcher adds to that of this JVM. */
  private record Result(
      double perSecond,
      double elsewherePerSecond,
      double heapMegabytes,
      double gcMillisPerSecond) {}

  /** One round. */
  private record Compared(Result withFew, Result withMany) {
    double ratio() {
      return withMany.perSecond() / withFew.perSecond();
    }

    double priceOfALine() {
      return withMany.elsewherePerSecond() / withFew.elsewherePerSecond();
    }
  }

  /** Each of the two comes first in every second round. */
  private static Compared compared(Bench bench, Tables few, Tables many, int round) {
    boolean fewFirst = round % 2 == 0;
    Result first = measured(bench, fewFirst ? few : many);
    Result second = measured(bench, fewFirst ? many : few);
    Result withFew = fewFirst ? first : second;
    Result withMany = fewFirst ? second : first;
    bench
        .console()
        .say(
            "backlog: %,.0f/s with %,d waiting (heap %.1f MB; %,.0f/s where nobody is in line),"
                + " %,.0f/s with %,d (%.1f MB; %,.0f/s)",
            withFew.perSecond(),
            FEW,
            withFew.heapMegabytes(),
            withFew.elsewherePerSecond(),
            withMany.perSecond(),
            MANY,
            withMany.heapMegabytes(),
            withMany.elsewherePerSecond());
    return new Compared(withFew, withMany);
  }

  /** The rounds with so many waiting. */
  private static final class Series {
    final List<Double> rates = new ArrayList<>();
    private final List<Double> heap = new ArrayList<>();
    private final List<Double> gc = new ArrayList<>();

    void add(Result result) {
      rates.add(result.perSecond());
      heap.add(result.heapMegabytes());
      gc.add(result.gcMillisPerSecond());
    }

    void show(Bench bench, String waiting) {
      bench.rows().add("backlog.rate_per_second_" + waiting, "items/s", rates);
      bench.rows().add("backlog.heap_mb_" + waiting, "MB", heap);
      bench.rows().add("backlog.gc_ms_per_second_" + waiting, "ms/s", gc);
    }
  }

  @Override
  public void run(Bench bench) throws InterruptedException {
    var ratios = new ArrayList<Double>();
    var priceOfALine = new ArrayList<Double>();
    var ofFew = new Series();
    var ofMany = new Series();
    try (Tables few = filled(bench, FEW);
        Tables many = filled(bench, MANY)) {
      var _ = compared(bench, few, many, 0); // warm-up
      Rounds.run(
          bench,
          "backlog",
          ROUNDS,
          round -> {
            Compared compared = compared(bench, few, many, round);
            return () -> {
              ratios.add(compared.ratio());
              priceOfALine.add(compared.priceOfALine());
              ofFew.add(compared.withFew());
              ofMany.add(compared.withMany());
            };
          });
    }
    bench.rows().add("backlog.rate_1m_vs_1k", "ratio", ratios);
    bench.rows().add("backlog.rate_in_line_vs_nobody_in_line", "ratio", priceOfALine);
    ofFew.show(bench, "1k");
    ofMany.show(bench, "1m");
  }

  private static Tables filled(Bench bench, int rows) {
    Tables tables = bench.servers().tables();
    tables.workspaces(PREFIX, WORKSPACES, 0);
    tables.jdbc().update(WAITING, PREFIX, rows);
    tables.analyze();
    bench.console().say("%,d rows wait in %,d workspaces", rows, WORKSPACES);
    return tables;
  }

  private static Result measured(Bench bench, Tables tables) {
    tables.jdbc().update("update workspace set paused_at = now()");
    try (var temporal = LocalTemporal.inMemory(0);
        var requests = new Requests(bench.servers())) {
      var probe = new StartProbe(true);
      double without = Heap.megabytesAfterFullGc();
      try (var dispatcher =
          new Dispatcher(
              bench.servers(),
              tables,
              temporal.address(),
              probe,
              "--sluice.finish.long-polls=0",
              // The sweep of a start is over before we begin, and another must not come in
              // between.
              "--sluice.intake.sweep-every=10m")) {
        pause(
            Duration.ofSeconds(
                8)); // partitions are assigned, the first sweep has found all of them paused
        var bursts = new Bursts(tables, requests, dispatcher);
        var waves = new ArrayList<Wave>();
        double gcMillis = 0;
        bursts.prepare(IN_LINE);
        var _ = bursts.secondsUntilStarted(IN_LINE); // plans are made, what waits is counted
        while (!isEnough(waves)) {
          bursts.prepare(IN_LINE);
          long gc = Heap.gcMillis();
          var stolen = new Stolen();
          double seconds = bursts.secondsUntilStarted(IN_LINE);
          waves.add(new Wave(seconds, stolen.share()));
          gcMillis += Heap.gcMillis() - gc;
        }
        bursts.prepare(ELSEWHERE);
        double elsewhere = bursts.secondsUntilStarted(ELSEWHERE);
        dispatcher.awaitSettled(probe.started(), System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        return new Result(
            FEW / Statistics.median(secondsOfQuietest(waves)),
            ELSEWHERE.size() / elsewhere,
            Heap.megabytesAfterFullGc() - without,
            gcMillis / waves.stream().mapToDouble(Wave::seconds).sum());
      }
    }
  }

  /** A request for each of some workspaces, all at once. Nothing is kept, for the heap's sake. */
  private record Bursts(Tables tables, Requests requests, Dispatcher dispatcher) {
    /** Were full, as far as the dispatcher knew: it looks again, and finds them paused. */
    void prepare(List<String> workspaces) {
      tables.jdbc().update(ONE_SLOT_MORE, (Object) workspaces.toArray(String[]::new));
      workspaces.forEach(dispatcher.part(Pipeline.class)::limitsChanged);
      pause(Duration.ofMillis(500));
    }

    double secondsUntilStarted(List<String> workspaces) {
      StartProbe probe = dispatcher.probe();
      List<Requests.Request> batch = Requests.round(workspaces, workspaces.size());
      // Nobody is told: it counts when the requests come.
      tables
          .jdbc()
          .update(
              "update workspace set paused_at = null where id = any(?)",
              (Object) workspaces.toArray(String[]::new));
      long before = probe.started();
      long began = System.nanoTime();
      requests.send(batch);
      if (!probe.awaitStarted(before + batch.size(), began + TimeUnit.SECONDS.toNanos(180))) {
        throw new IllegalStateException(
            "%d of %d were started in time".formatted(probe.started() - before, batch.size()));
      }
      return (System.nanoTime() - began) / 1e9;
    }
  }

  private static List<String> workspaces(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> PREFIX + n).toList();
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
