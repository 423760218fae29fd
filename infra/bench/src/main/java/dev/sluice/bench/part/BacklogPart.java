package dev.sluice.bench.part;

import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The same work, once with few rows waiting and once with a million. Every workspace gets as many
 * slots as there come requests for it, so that as many start as come in, and those behind keep
 * waiting. What is started returns at once: Temporal would only hide the difference.
 */
final class BacklogPart implements Part {
  private static final int ROUNDS = 3;
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

  @Override
  public void run(Bench bench) {
    List<Double> ratios = new ArrayList<>();
    List<Double> fewRates = new ArrayList<>();
    List<Double> manyRates = new ArrayList<>();
    List<Double> heap = new ArrayList<>();
    try (Tables few = filled(bench, FEW);
        Tables many = filled(bench, MANY)) {
      for (int round = 0; round <= ROUNDS; round++) {
        double withFew = rate(bench, few, round);
        double withMany = rate(bench, many, round);
        bench
            .console()
            .say(
                "backlog%s: %,.0f/s with %,d waiting, %,.0f/s with %,d",
                round == 0 ? " (warm-up)" : "", withFew, FEW, withMany, MANY);
        if (round > 0) {
          ratios.add(withMany / withFew);
          fewRates.add(withFew);
          manyRates.add(withMany);
          heap.add(usedHeap());
        }
      }
    }
    bench.rows().add("backlog.rate_1m_vs_1k", "ratio", ratios);
    bench.rows().add("backlog.rate_per_second_1k", "items/s", fewRates);
    bench.rows().add("backlog.rate_per_second_1m", "items/s", manyRates);
    bench.rows().add("backlog.heap_mb_with_servers_1m", "MB", heap);
  }

  private static Tables filled(Bench bench, int rows) {
    Tables tables = bench.servers().tables();
    tables.workspaces(PREFIX, WORKSPACES, 0);
    tables.jdbc().update(WAITING, PREFIX, rows);
    tables.analyze();
    bench.console().say("%,d rows wait in %,d workspaces", rows, WORKSPACES);
    return tables;
  }

  private static double rate(Bench bench, Tables tables, int round) {
    tables.jdbc().update("update workspace set concurrency_limit = 0");
    try (var temporal = LocalTemporal.inMemory(0);
        Requests requests = new Requests(bench.servers())) {
      var probe = new StartProbe(true);
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
        tables.jdbc().update("update workspace set concurrency_limit = ?", round + 1);
        List<Requests.Request> batch = Requests.round(PREFIX, WORKSPACES, WORKSPACES);
        long began = System.nanoTime();
        requests.send(batch);
        if (!probe.awaitStarted(WORKSPACES, began + TimeUnit.SECONDS.toNanos(180))) {
          throw new IllegalStateException("%d were started in time".formatted(probe.started()));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        dispatcher.awaitSettled(WORKSPACES, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        return WORKSPACES / seconds;
      }
    }
  }

  /** Partitions are assigned and the first sweep has found all workspaces full. */
  private static void settle(Bench bench) {
    try {
      TimeUnit.SECONDS.sleep(8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      bench.console().say("interrupted");
    }
  }

  private static double usedHeap() {
    var runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }
}
