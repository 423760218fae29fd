package dev.sluice.recovery.relay;

import static dev.sluice.recovery.TopicReader.header;

import dev.sluice.contracts.Topics;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The figures in docs/decisions/outbox.md: {@code mvn -pl recovery-service -am test
 * -Dtest=OutboxMeasurement -Dmeasure=true}.
 */
@EnabledIfSystemProperty(named = "measure", matches = "true")
class OutboxMeasurement {
  private static final int BATCH = 500;
  private static final int EVENTS = 200_000;

  private static final String EMIT =
      """
      insert into %s (event_id, execution_id, workspace_id, kind, at, traceparent, data)
      select id || ':1', id, :workspace, 'pending', clock_timestamp(), '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
             lifecycle_event(id, :workspace, 'report', 'PENDING', now(), 0)
        from (select gen_random_uuid() as id from generate_series(1, :n)) as ids
      """;

  private final Fixture fixture = Fixture.fresh(OutboxMeasurement.class);
  private final String workspace = "measure-" + UUID.randomUUID();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void say(String line, Object... values) {
    System.out.println("MEASURED " + line.formatted(values));
  }

  @Test
  void logAgainstRows() {
    fixture.sql().sql("create table outbox_rows (like outbox including all)").update();
    fixture.sql().sql("alter table outbox_rows add primary key (event_id)").update();
    write("log only", "outbox", false, BATCH);
    write("rows, deleted in the same transaction", "outbox_rows", true, BATCH);
    write("log only, one event a transaction", "outbox", false, 1);
    write("rows, one event a transaction", "outbox_rows", true, 1);
  }

  private void write(String name, String table, boolean delete, int batch) {
    int events = batch == 1 ? EVENTS / 20 : EVENTS;
    String emit = EMIT.formatted(table);
    emitted(emit, batch, 20 * batch);
    fixture.sql().sql("vacuum full outbox_rows").update();
    long wal = wal();
    long start = System.nanoTime();
    if (delete) {
      deleteAfter(emit, batch, events);
    } else {
      emitted(emit, batch, events);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long dead =
        fixture
            .sql()
            .sql(
                "select coalesce(sum(pg_relation_size(oid) + pg_indexes_size(oid)), 0) from"
                    + " pg_class where relname = ?")
            .param(table)
            .query(Long.class)
            .single();
    say(
        "%-40s %,8.0f events/s  %,6d bytes of WAL an event  %,d kB left in the table",
        name, events / seconds, (wal() - wal) / events, dead / 1024);
  }

  private void emitted(String statement, int batch, int events) {
    for (int n = 0; n < events; n += batch) {
      fixture.sql().sql(statement).param("workspace", workspace).param("n", batch).update();
    }
  }

  /** A row cannot be deleted by the statement that writes it, so this is two of them. */
  private void deleteAfter(String emit, int batch, int events) {
    var transaction = new TransactionTemplate(new DataSourceTransactionManager(fixture.pool()));
    for (int n = 0; n < events; n += batch) {
      transaction.executeWithoutResult(
          status -> {
            fixture.sql().sql(emit).param("workspace", workspace).param("n", batch).update();
            fixture.sql().sql("delete from outbox_rows").update();
          });
    }
  }

  private long wal() {
    return fixture
        .sql()
        .sql("select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint")
        .query(Long.class)
        .single();
  }

  @Test
  void commitToEvent() throws Exception {
    String one = EMIT.formatted("outbox");
    try (var rig = new RelayRig(fixture).streaming();
        var events = new TopicReader(Topics.EVENTS, workspace);
        var clock = Executors.newSingleThreadScheduledExecutor()) {
      List<Double> millis = new ArrayList<>();
      int changes = 200 * 60;
      clock.scheduleAtFixedRate(
          () -> fixture.sql().sql(one).param("workspace", workspace).param("n", 1).update(),
          0,
          5,
          TimeUnit.MILLISECONDS);
      int read = 0;
      while (read < changes) {
        var all = events.poll();
        Instant now = Instant.now();
        for (; read < all.size(); read++) {
          var written = OffsetDateTime.parse(header(all.get(read), "ce_time")).toInstant();
          if (read > 1000) {
            millis.add(Duration.between(written, now).toNanos() / 1e6);
          }
        }
      }
      clock.shutdownNow();
      millis.sort(null);
      say(
          "statement to consumer at 200 changes/s, %d samples: p50 %.1f ms, p99 %.1f ms, max %.1f"
              + " ms",
          millis.size(), at(millis, 0.5), at(millis, 0.99), at(millis, 1));
    }
  }

  private static double at(List<Double> sorted, double share) {
    return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share));
  }

  @Test
  void catchingUp() throws Exception {
    new RelayRig(fixture).streaming().close();
    emitted(EMIT.formatted("outbox"), BATCH, EVENTS);
    try (var events = new TopicReader(Topics.EVENTS, workspace)) {
      long start = System.nanoTime();
      try (var rig = new RelayRig(fixture).streaming()) {
        events.await(Duration.ofMinutes(5), all -> !all.isEmpty());
        long first = System.nanoTime();
        events.await(Duration.ofMinutes(5), all -> all.size() >= EVENTS);
        long end = System.nanoTime();
        say(
            String.format(
                Locale.ROOT,
                "catching up with %d events: %%,.0f events/s once the first was there, first after"
                    + " %%.1f s",
                EVENTS),
            EVENTS / ((end - first) / 1e9),
            (first - start) / 1e9);
      }
    }
  }
}
