package dev.sluice.dispatcher.ledger;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How the queue stands, for the gauges. Read seldom: it counts, by the indexes of what waits, which
 * know nothing of what is over.
 */
public final class GaugeLedger {
  private static final String STANDING =
      """
      select (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'ready')
           + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'delayed')
           + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'partition')
           + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'definition')
           + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'limit')
           + (select count(*) from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'paused')
               as pending,
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
