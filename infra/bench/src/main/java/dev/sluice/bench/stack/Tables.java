package dev.sluice.bench.stack;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.schema.Database;
import dev.sluice.schema.Schema;
import dev.sluice.servers.LocalPostgres;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database of one measurement: filled by hand, looked at afterwards, dropped at the end. */
public final class Tables implements AutoCloseable {
  public static final String DEFINITION = "report";

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
        select ? || n, ?, 1, 'Report', 'reports' from generate_series(0, ? - 1) n
        """,
        prefix,
        DEFINITION,
        count);
  }

  /** So that the planner knows what is there, as it would after a while. */
  public void analyze() {
    jdbc.execute("vacuum analyze");
  }

  /** Statements of this database so far, transactions' begin and commit among them. */
  public long statements() {
    Long calls =
        jdbc.queryForObject(
            """
            select coalesce(sum(s.calls), 0) from pg_stat_statements s
              join pg_database d on d.oid = s.dbid
             where d.datname = current_database() and s.query not like '%pg_stat_statements%'
            """,
            Long.class);
    return calls == null ? 0 : calls;
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
    Long bytes = jdbc.queryForObject("select pg_current_wal_lsn() - '0/0'::pg_lsn", Long.class);
    return bytes == null ? 0 : bytes;
  }

  public long count(String state) {
    Long rows =
        jdbc.queryForObject(
            "select count(*) from workflow_execution_queue where state = ?", Long.class, state);
    return rows == null ? 0 : rows;
  }

  @Override
  public void close() {
    pool.close();
    new JdbcTemplate(postgres.dataSource())
        .execute("drop database if exists \"%s\" with (force)".formatted(name));
  }
}
