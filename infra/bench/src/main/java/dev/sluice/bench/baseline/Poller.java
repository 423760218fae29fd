package dev.sluice.bench.baseline;

import dev.sluice.bench.stack.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The design most teams begin with: a scheduled job under a lock takes a few rows, and starts each
 * in a transaction of its own, one after the other.
 */
public final class Poller implements AutoCloseable {
  public static final Settings AS_IT_IS = new Settings(Duration.ofSeconds(5), 10);
  public static final Settings TUNED = new Settings(Duration.ZERO, 100);

  private static final String SCHEMA =
      """
      create table shedlock (name varchar(64) primary key, lock_until timestamp not null,
                             locked_at timestamp not null, locked_by varchar(255) not null);
      create table job (id uuid primary key, seq bigint generated always as identity,
                        status text not null default 'PENDING', input json not null, started_at timestamptz);
      create index job_pending on job (seq) where status = 'PENDING';
      """;
  private static final String TAKE =
      """
      update job set status = 'PROCESSING' where id in (
        select id from job where status = 'PENDING' order by seq limit ? for update skip locked)
      returning id
      """;
  private static final String DONE =
      "update job set status = 'STARTED', started_at = now() where id = ? and status ="
          + " 'PROCESSING'";

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final LockingTaskExecutor locked;
  private final Settings settings;
  private final RawStarts temporal;
  private final AtomicLong started = new AtomicLong();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  /** How long between two polls, and how many rows each takes. */
  public record Settings(Duration delay, int batch) {}

  public Poller(Tables tables, String temporalAddress, Settings settings) {
    this.jdbc = tables.jdbc();
    this.settings = settings;
    jdbc.execute(SCHEMA);
    transaction = new TransactionTemplate(new JdbcTransactionManager(tables.pool()));
    locked = new DefaultLockingTaskExecutor(new JdbcTemplateLockProvider(jdbc));
    temporal = RawStarts.with(temporalAddress);
  }

  public void fill(int items) {
    jdbc.update(
        "insert into job (id, input) select gen_random_uuid(), '{}' from generate_series(1, ?)",
        items);
    jdbc.execute("vacuum analyze job");
  }

  /** How many it starts a second, over so long: whole polls, the first of them at once. */
  public double rate(Duration time) throws InterruptedException {
    long began = System.nanoTime();
    var polling =
        scheduler.scheduleWithFixedDelay(
            this::poll, 0, Math.max(1, settings.delay().toNanos()), TimeUnit.NANOSECONDS);
    // A poll that is due at the end would count without the time until the next.
    TimeUnit.NANOSECONDS.sleep(time.toNanos() - settings.delay().toNanos() / 100);
    long count = started.get();
    double seconds = (System.nanoTime() - began) / 1e9;
    polling.cancel(false);
    scheduler.shutdown();
    scheduler.awaitTermination(30, TimeUnit.SECONDS); // the poll under way ends as it should
    return count / seconds;
  }

  private void poll() {
    locked.executeWithLock(
        (Runnable) this::takeAndStart,
        new LockConfiguration(Instant.now(), "poller", Duration.ofMinutes(1), Duration.ZERO));
  }

  private void takeAndStart() {
    List<UUID> taken =
        transaction.execute(
            status ->
                jdbc.query(TAKE, (row, n) -> row.getObject("id", UUID.class), settings.batch()));
    for (UUID id : taken == null ? List.<UUID>of() : taken) {
      if (scheduler.isShutdown()) {
        return;
      }
      transaction.executeWithoutResult(
          status -> {
            temporal.startAndWait("execution-" + id);
            jdbc.update(DONE, id);
          });
      started.incrementAndGet();
    }
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
    temporal.close();
  }
}
