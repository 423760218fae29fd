package dev.sluice.recovery.retention;

import dev.sluice.recovery.DispatcherStandIn;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.retention.TemporalRetention.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The figures in docs/decisions/retention.md: {@code mvn -pl recovery-service -am test
 * -Dtest=RetentionMeasurement -Dmeasure=true}.
 */
@EnabledIfSystemProperty(named = "measure", matches = "true")
class RetentionMeasurement {
  private static final int ROWS = Integer.getInteger("rows", 10_000_000);
  private static final int CHUNK = 500_000;
  private static final Duration LOOK = Duration.ofSeconds(20);

  private static final String ID =
      "(lpad(to_hex(n), 12, '0') || '70008000' || substr(md5(n::text), 1, 12))::uuid";

  /** Half of them are older than thirty days. */
  private static final String TIME = "now() - (60 - 60.0 * n / " + ROWS + ") * interval '1 day'";

  private static final String ITEMS =
      """
      insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version, state, priority, input,
                                            accepted_at, claimed_at, dispatched_at, run_id, revision)
      select %s, 'ws-' || n %% 1000, 'report', 1, 'DISPATCHED', 5, '{"pages": 3, "title": "a small input"}', t, t, t, 'run', 3
        from (select n, %s as t from generate_series(%d, %d) as n) as rows
      """;

  private static final String EXECUTIONS =
      """
      insert into workflow_execution (id, workspace_id, definition_id, definition_version, status, result,
                                      started_at, closed_at, checked_at)
      select %s, 'ws-' || n %% 1000, 'report', 1, 'COMPLETED', '{"ok": true}', t, t, t
        from (select n, %s as t from generate_series(%d, %d) as n) as rows
      """;

  private final Fixture fixture = Fixture.fresh(RetentionMeasurement.class);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void say(String line, Object... values) {
    System.out.println("MEASURED " + line.formatted(values));
  }

  @Test
  void removingFromALargeTable() throws Exception {
    load();
    say("%,d rows of each table: %s", ROWS, sizes());
    double alone = livesPerSecond();
    var removing = new AtomicBoolean(true);
    var removed = new AtomicInteger();
    List<Double> steps = new ArrayList<>();
    var remover = Thread.ofVirtual().start(() -> remove(removing, removed, steps, 50));
    double together = livesPerSecond();
    removing.set(false);
    remover.join();
    steps.sort(null);
    say("lives/s alone %.0f, while rows leave %.0f", alone, together);
    say(
        "steps of 500 with 50 ms between: %,.0f rows/s, a step p50 %.1f ms, p99 %.1f ms",
        removed.get() / (double) LOOK.toSeconds(),
        steps.get(steps.size() / 2),
        steps.get((int) (steps.size() * 0.99)));
    long start = System.nanoTime();
    var settings =
        new RetentionSettings(
            Duration.ofDays(30), Duration.ofSeconds(60), 500, 100_000, Duration.ZERO);
    int gone =
        new Retention(
                new RetentionLedger(fixture.sql()),
                Answer.None::new,
                settings,
                new SimpleMeterRegistry())
            .runOnce();
    say("without a pause: %,.0f rows/s", gone / ((System.nanoTime() - start) / 1e9));
  }

  private void remove(
      AtomicBoolean removing, AtomicInteger removed, List<Double> steps, long pause) {
    var ledger = new RetentionLedger(fixture.sql());
    while (removing.get()) {
      long start = System.nanoTime();
      removed.addAndGet(ledger.removeClosed(Duration.ofDays(30), 500));
      steps.add((System.nanoTime() - start) / 1e6);
      LockSupport.parkNanos(pause * 1_000_000);
    }
  }

  private double livesPerSecond() {
    var dispatcher = new DispatcherStandIn(fixture.sql(), "acme");
    long end = System.nanoTime() + LOOK.toNanos();
    int lives = 0;
    while (System.nanoTime() < end) {
      dispatcher.live();
      lives++;
    }
    return lives / (double) LOOK.toSeconds();
  }

  /** Without indexes first, else it takes an hour. */
  private void load() throws Exception {
    try (var admin = DriverManager.getConnection(fixture.database().url(), "postgres", "");
        var statement = admin.createStatement()) {
      statement.execute("set session_replication_role = replica");
      statement.execute("set maintenance_work_mem = '512MB'");
      statement.execute("set synchronous_commit = off");
      var indexes = dropIndexes();
      for (int from = 1; from <= ROWS; from += CHUNK) {
        int to = Math.min(ROWS, from + CHUNK - 1);
        statement.execute(ITEMS.formatted(ID, TIME, from, to));
        statement.execute(EXECUTIONS.formatted(ID, TIME, from, to));
      }
      for (String index : indexes) {
        statement.execute(index);
      }
      statement.execute("vacuum analyze workflow_execution_queue");
      statement.execute("vacuum analyze workflow_execution");
    }
  }

  /** Returns what makes them again. */
  private List<String> dropIndexes() {
    String ours = "('workflow_execution_queue', 'workflow_execution')";
    var indexes =
        fixture
            .sql()
            .sql(
                "select indexdef from pg_indexes where indexname not like '%_pkey' and tablename in"
                    + " "
                    + ours)
            .query(String.class)
            .list();
    fixture
        .sql()
        .sql(
            "select format('drop index %I', indexname) from pg_indexes where indexname not like"
                + " '%_pkey' and tablename in "
                + ours)
        .query(String.class)
        .list()
        .forEach(drop -> fixture.sql().sql(drop).update());
    for (String constraint : List.of("workflow_execution_id_fkey", "workflow_execution_pkey")) {
      fixture.sql().sql("alter table workflow_execution drop constraint " + constraint).update();
    }
    fixture
        .sql()
        .sql("alter table workflow_execution_queue drop constraint workflow_execution_queue_pkey")
        .update();
    var all =
        new ArrayList<>(
            List.of(
                "alter table workflow_execution_queue add primary key (id)",
                "alter table workflow_execution add primary key (id)",
                "alter table workflow_execution add foreign key (id)"
                    + " references workflow_execution_queue (id) on delete cascade"));
    all.addAll(indexes);
    return all;
  }

  private String sizes() {
    return fixture
        .sql()
        .sql(
            """
            select string_agg(relname || ' ' || pg_size_pretty(pg_relation_size(oid)), ', ' order by relname)
              from pg_class
             where relname in ('workflow_execution_queue', 'workflow_execution', 'execution_closed', 'queue_over')
            """)
        .query(String.class)
        .single();
  }
}
