package dev.sluice.bench.stack;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.schema.Database;
import dev.sluice.schema.Schema;
import dev.sluice.servers.LocalPostgres;
import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database of one measurement: filled by hand, looked at afterwards, dropped at the end. */
public final class Tables implements AutoCloseable {
  public static final String DEFINITION = "report";
  static final String TASK_QUEUE = "reports";

  private static final String OURS = "sluice-bench";
  private static final Duration GONE_WITHIN = Duration.ofSeconds(30);
  private static final String OTHERS =
      """
      select count(*) from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and application_name <> ?
      """;
  private static final String STREAMS =
      "select count(*) from pg_replication_slots where database = current_database() and active";

  private final LocalPostgres postgres;
  private final String name;
  private final HikariDataSource pool;
  private final JdbcTemplate jdbc;

  private Tables(LocalPostgres postgres, String name, int connections) {
    this.postgres = postgres;
    this.name = name;
    postgres.createDatabase(name);
    pool =
        Database.pool(
            "bench", postgres.jdbcUrl(name), postgres.user(), postgres.password(), connections);
    jdbc = new JdbcTemplate(pool);
  }

  static Tables empty(LocalPostgres postgres, String name, int connections) {
    return new Tables(postgres, name, connections);
  }

  static Tables withSchema(LocalPostgres postgres, String name) {
    var tables = new Tables(postgres, name, 2);
    Schema.migrate(tables.pool);
    return tables;
  }

  public String url() {
    return postgres.jdbcUrl(name);
  }

  public HikariDataSource pool() {
    return pool;
  }

  public JdbcTemplate jdbc() {
    return jdbc;
  }

  /** {@code prefix0}, {@code prefix1} and so on, each with one definition. */
  public void workspaces(String prefix, int count, int limit) {
    jdbc.update(
        """
        insert into workspace (id, plan_id, concurrency_limit)
        select ? || n, 'PRO', ? from generate_series(0, ? - 1) n
        """,
        prefix,
        limit,
        count);
    jdbc.update(
        """
        insert into workflow_definition (workspace_id, id, current_version)
        select ? || n, ?, 1 from generate_series(0, ? - 1) n
        """,
        prefix,
        DEFINITION,
        count);
    jdbc.update(
        """
        insert into workflow_definition_version (workspace_id, definition_id, version, workflow_type, task_queue)
        select ? || n, ?, 1, 'Report', ? from generate_series(0, ? - 1) n
        """,
        prefix,
        DEFINITION,
        TASK_QUEUE,
        count);
  }

  /** So that the planner knows what is there, as it would after a while. */
  public void analyze() {
    jdbc.execute("vacuum analyze");
  }

  /** Statements of this database so far, transactions' begin and commit among them. */
  public long statements() {
    return number(
        """
        select coalesce(sum(s.calls), 0) from pg_stat_statements s
          join pg_database d on d.oid = s.dbid
         where d.datname = current_database() and s.query not like '%pg_stat_statements%'
        """);
  }

  /** Where the time of this database's statements went, the dearest first. */
  public List<String> dearest(int most) {
    return jdbc.query(
        """
        select s.calls, s.rows, s.total_exec_time as ms, left(regexp_replace(s.query, '\\s+', ' ', 'g'), 90) as query
          from pg_stat_statements s join pg_database d on d.oid = s.dbid
         where d.datname = current_database() order by s.total_exec_time desc limit ?
        """,
        (row, n) ->
            "%,8.0f ms %,7d calls %,9d rows  %s"
                .formatted(
                    row.getDouble("ms"),
                    row.getLong("calls"),
                    row.getLong("rows"),
                    row.getString("query")),
        most);
  }

  /** Bytes of the server's log so far. */
  public long log() {
    return number("select pg_current_wal_lsn() - '0/0'::pg_lsn");
  }

  /**
   * Row versions of the queue, the executions and the outbox that stay until a vacuum takes them:
   * deleted rows, and the old versions of updated ones, but not those of updates within a page
   * (HOT), which the next visitor of the page clears away. Complete once nobody else is connected,
   * because a session tells what it did when it has time, and at its end.
   */
  public long deadRows() {
    Await.until("nobody else uses " + name, GONE_WITHIN, () -> number(OTHERS, OURS) == 0);
    return number(
        """
        select coalesce(sum(n_tup_upd + n_tup_del - n_tup_hot_upd), 0) from pg_stat_user_tables
         where relname in ('workflow_execution_queue', 'workflow_execution', 'outbox')
        """);
  }

  public long count(String state) {
    return number("select count(*) from workflow_execution_queue where state = ?", state);
  }

  public long openWorkflows() {
    return number("select count(*) from workflow_execution where status = 'RUNNING'");
  }

  /** What is open, as if it had completed; no dispatcher is told. */
  public void closeAll() {
    jdbc.update(
        "update workflow_execution set status = 'COMPLETED', closed_at = now() where status ="
            + " 'RUNNING'");
  }

  /** Requests and executions, as if there had never been any. */
  public void removeAll() {
    jdbc.execute("truncate workflow_execution_queue, workflow_execution");
    analyze();
  }

  /** How many workflows have been seen to close. */
  public long closed() {
    return number("select count(*) from workflow_execution where closed_at is not null");
  }

  /** Whether recovery-service has told everything that was written before so much log. */
  public boolean isRelayed(long log) {
    return number("select coalesce(max(relayed_lsn - '0/0'::pg_lsn), 0) from relay_state") >= log;
  }

  private long number(String query, Object... values) {
    Long number = jdbc.queryForObject(query, Long.class, values);
    return number == null ? 0 : number;
  }

  @Override
  public void close() {
    // A slot that is still read from keeps its database from being dropped; others go with it.
    Await.until("nobody streams from " + name, GONE_WITHIN, () -> number(STREAMS) == 0);
    pool.close();
    new JdbcTemplate(postgres.dataSource())
        .execute("drop database if exists \"%s\" with (force)".formatted(name));
  }
}
