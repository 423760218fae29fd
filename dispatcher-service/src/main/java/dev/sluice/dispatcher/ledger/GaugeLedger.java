package dev.sluice.dispatcher.ledger;

import org.springframework.jdbc.core.JdbcTemplate;

/** How the queue stands, for the gauges. Read seldom: it counts. */
public final class GaugeLedger {
  private static final String STANDING =
      """
      select (select count(*) from workflow_execution_queue where state = 'PENDING') as pending,
             (select count(*) from workflow_execution where status = 'RUNNING') as held,
             coalesce((select extract(epoch from statement_timestamp() - min(greatest(accepted_at, ready_at)))
                from workflow_execution_queue where state = 'PENDING' and gate = 'ready'), 0) as oldest_seconds
      """;

  private final JdbcTemplate jdbc;

  public GaugeLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** All workspaces together. */
  public record Standing(long pending, long held, double oldestSeconds) {}

  public Standing read() {
    return jdbc.query(
            STANDING,
            (row, _) ->
                new Standing(
                    row.getLong("pending"), row.getLong("held"), row.getDouble("oldest_seconds")))
        .getFirst();
  }
}
