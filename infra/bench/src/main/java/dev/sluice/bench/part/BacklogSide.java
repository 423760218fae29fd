package dev.sluice.bench.part;

import static java.util.Objects.requireNonNull;

import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Heap;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.dispatcher.Pipeline;
import dev.sluice.servers.LocalKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher with so many waiting in its database, and its load. Its workspaces are paused until
 * a wave of requests comes for some of them.
 */
final class BacklogSide implements AutoCloseable {
  /** Partitions are assigned, the first sweep has found all workspaces paused. */
  private static final Duration SETTLING_IN = Duration.ofSeconds(8);

  /** Its connections' threads linger. */
  private static final Duration AFTER_ITS_END = Duration.ofSeconds(5);

  private static final String WAITING =
      """
      insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version, state, priority, input)
      select gen_random_uuid(), ? || (n - 1) %% ?, '%s', 1, 'PENDING', 5, '{}' from generate_series(1, ?) n
      """
          .formatted(Tables.DEFINITION);

  private static final String PAUSED = "update workspace set paused_at = now() where id = any(?)";

  private static final String RESUMED = "update workspace set paused_at = null where id = any(?)";

  private final Tables tables;
  private final Requests requests;
  private final StartProbe probe = new StartProbe(true);
  private @Nullable Dispatcher dispatcher;
  private List<Double> rates = new ArrayList<>();
  private double seconds;
  private double gcMillis;

  /** Rows that wait, in so many workspaces, which may run one but are paused. */
  static Tables filled(Bench bench, String prefix, int workspaces, int rows) {
    Tables tables = bench.servers().tables();
    tables.workspaces(prefix, workspaces, 1);
    tables.jdbc().update("update workspace set paused_at = now()");
    tables.jdbc().update(WAITING, prefix, workspaces, rows);
    tables.analyze();
    bench.console().say("%,d rows wait in %,d workspaces", rows, workspaces);
    return tables;
  }

  BacklogSide(LocalKafka kafka, Tables tables, String temporalAddress) throws InterruptedException {
    this.tables = tables;
    requests = new Requests(kafka);
    dispatcher =
        new Dispatcher(
            kafka,
            tables,
            temporalAddress,
            probe,
            "--sluice.finish.long-polls=0",
            // That of the start is over before we begin, and another must not come in between.
            "--sluice.intake.sweep-every=60m");
    Thread.sleep(SETTLING_IN);
  }

  /** One request for each of these, who have one slot free then; seconds until all are started. */
  double wave(List<String> workspaces) throws InterruptedException {
    Object ids = workspaces.toArray(String[]::new);
    tables.jdbc().update(PAUSED, ids);
    // Nobody was to listen for it. Were they left open, each wave would count more of them than the
    // one before, and the more so the longer ago PostgreSQL's last vacuum was.
    tables.closeAll();
    // Were full, as far as the dispatcher knew: it looks again, and finds them paused.
    workspaces.forEach(running().part(Pipeline.class)::limitsChanged);
    Thread.sleep(Duration.ofMillis(400));
    tables.jdbc().update(RESUMED, ids); // nobody is told: it counts when the requests come

    List<Requests.Request> batch = Requests.round(workspaces, workspaces.size());
    long before = probe.started();
    long gcBefore = Heap.gcMillis();
    long began = System.nanoTime();
    requests.send(batch);
    boolean inTime =
        probe.awaitStarted(before + batch.size(), began + TimeUnit.SECONDS.toNanos(180));
    double took = (System.nanoTime() - began) / 1e9;
    // What is written back of this wave must not fall into the next one, of the other side.
    if (!inTime
        || !running()
            .awaitSettled(probe.started(), System.nanoTime() + TimeUnit.SECONDS.toNanos(60))) {
      throw new IllegalStateException(
          "%d of %d were started in time, and not all of them written back"
              .formatted(probe.started() - before, batch.size()));
    }
    gcMillis += Heap.gcMillis() - gcBefore;
    seconds += took;
    return took;
  }

  /** Of a wave that counts. */
  void count(double rate) {
    rates.add(rate);
  }

  /** What is started is no longer answered at once, but goes to Temporal. */
  void startInTemporal() {
    probe.passOn();
  }

  /** What was counted since this was last shown. */
  void showRates(Bench bench, String row) {
    bench.rows().add(row, "items/s", rates);
    rates = new ArrayList<>();
  }

  /** Ends the dispatcher: what it held is what is free when it is gone. */
  void end(Bench bench, String waiting) throws InterruptedException {
    double with = Heap.megabytesAfterFullGc();
    close();
    Thread.sleep(AFTER_ITS_END);
    double heap = with - Heap.megabytesAfterFullGc();
    bench.rows().add("backlog.heap_mb_" + waiting, "MB", List.of(heap));
    bench.rows().add("backlog.gc_ms_per_second_" + waiting, "ms/s", List.of(gcMillis / seconds));
  }

  private Dispatcher running() {
    return requireNonNull(dispatcher, "its figures are shown, it has ended");
  }

  @Override
  public void close() {
    if (dispatcher != null) {
      dispatcher.close();
      dispatcher = null;
    }
    requests.close();
  }
}
