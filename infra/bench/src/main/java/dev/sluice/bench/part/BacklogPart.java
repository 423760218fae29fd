package dev.sluice.bench.part;

import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Heap;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The same work, once with few rows waiting and once with a million. Every workspace has one slot
 * more than it holds when its request comes, so that as many start as come in, and those behind
 * keep waiting. What is started returns at once: Temporal would only hide the difference.
 */
final class BacklogPart implements Part {
  private static final int ROUNDS = 5;
  private static final int WORKSPACES = 10_000;
  private static final int MANY = 1_000_000;
  private static final int FEW = 1_000;
  private static final String PREFIX = "b";
  private static final String WAITING =
      """
      insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version, state, priority, input)
      select gen_random_uuid(), ? || n %% %d, '%s', 1, 'PENDING', 5, '{}' from generate_series(1, ?) n
      """
          .formatted(WORKSPACES, Tables.DEFINITION);

  /** With so many waiting; the heap is what the dispatcher adds to that of this JVM. */
  private record Result(double perSecond, double heapMegabytes, double gcMillisPerSecond) {}

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
  public void run(Bench bench) {
    var ratios = new ArrayList<Double>();
    var ofFew = new Series();
    var ofMany = new Series();
    try (Tables few = filled(bench, FEW);
        Tables many = filled(bench, MANY)) {
      for (int round = 0; round <= ROUNDS; round++) {
        Result withFew = measured(bench, few, round);
        Result withMany = measured(bench, many, round);
        bench
            .console()
            .say(
                "backlog%s: %,.0f/s with %,d waiting (heap %.1f MB), %,.0f/s with %,d (%.1f MB)",
                round == 0 ? " (warm-up)" : "",
                withFew.perSecond(),
                FEW,
                withFew.heapMegabytes(),
                withMany.perSecond(),
                MANY,
                withMany.heapMegabytes());
        if (round > 0) {
          ratios.add(withMany.perSecond() / withFew.perSecond());
          ofFew.add(withFew);
          ofMany.add(withMany);
        }
      }
    }
    bench.rows().add("backlog.rate_1m_vs_1k", "ratio", ratios);
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

  private static Result measured(Bench bench, Tables tables, int round) {
    tables
        .jdbc()
        .update("update workspace set concurrency_limit = ?, paused_at = now()", round + 1);
    try (var temporal = LocalTemporal.inMemory(0)) {
      var probe = new StartProbe(true);
      double without = Heap.megabytesAfterFullGc();
      try (var dispatcher =
          new Dispatcher(
              bench.servers(),
              tables,
              temporal.address(),
              probe,
              "--sluice.finish.long-polls=0",
              // The sweep of a start is over before we begin, and another must not come in between.
              "--sluice.intake.sweep-every=10m")) {
        settle(bench);
        // Nobody is told: it counts when the requests come.
        tables.jdbc().update("update workspace set paused_at = null");
        long gc = Heap.gcMillis();
        double seconds = secondsUntilStarted(bench, probe);
        double gcMillis = Heap.gcMillis() - gc;
        dispatcher.awaitSettled(WORKSPACES, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        return new Result(
            WORKSPACES / seconds, Heap.megabytesAfterFullGc() - without, gcMillis / seconds);
      }
    }
  }

  /** Keeps nothing of what it sent, so that the heap is the dispatcher's. */
  private static double secondsUntilStarted(Bench bench, StartProbe probe) {
    try (Requests requests = new Requests(bench.servers())) {
      List<Requests.Request> batch = Requests.round(PREFIX, WORKSPACES, WORKSPACES);
      long began = System.nanoTime();
      requests.send(batch);
      if (!probe.awaitStarted(WORKSPACES, began + TimeUnit.SECONDS.toNanos(180))) {
        throw new IllegalStateException("%d were started in time".formatted(probe.started()));
      }
      return (System.nanoTime() - began) / 1e9;
    }
  }

  /** Partitions are assigned and the first sweep has found all workspaces paused. */
  private static void settle(Bench bench) {
    try {
      TimeUnit.SECONDS.sleep(8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      bench.console().say("interrupted");
    }
  }
}
