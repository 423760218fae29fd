package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What is due: delayed items, items past their expiry. Read from the front of an index, never by a
 * scan.
 */
public final class WakeLedger {
  private static final String WAKE =
      """
      update workflow_execution_queue q set gate = 'ready'
       where q.id = any(array(select id from workflow_execution_queue
                               where state = 'PENDING' and gate = 'delayed' and ready_at <= statement_timestamp()
                               order by ready_at limit ? for update skip locked))
         and case when q.state = 'PENDING' and q.gate = 'delayed' then true else false end
      returning q.workspace_id
      """;

  private static final String OVERDUE =
      """
      select id, workspace_id from workflow_execution_queue
       where state = 'PENDING' and expires_at <= statement_timestamp()
       order by expires_at limit ?
      """;

  /**
   * Asked to stop long ago and still open: terminated now, and asked for again in a while in case
   * Temporal does not hear of it. One that has closed meanwhile is forgotten.
   */
  private static final String STOP =
      """
      with due as (
        update workflow_execution_queue q
           set terminate_at = case when e.status = 'RUNNING' then statement_timestamp() + interval '10 seconds' end
          from (select id from workflow_execution_queue
                 where terminate_at <= statement_timestamp() order by terminate_at limit ? for update skip locked) late
          left join workflow_execution e on e.id = late.id
         where q.id = late.id and q.terminate_at <= statement_timestamp()
        returning q.id, q.workspace_id, q.state = 'DISPATCHED' and e.status = 'RUNNING' as is_open
      )
      select id, workspace_id from due where is_open
      """;

  /** Pauses that ended by themselves in the last seconds, by the same clock that ends them. */
  private static final String RESUMED =
      """
      select id from workspace
       where paused_until <= statement_timestamp() and paused_until > statement_timestamp() - interval '30 seconds'
      union
      select workspace_id from workflow_definition
       where paused_until <= statement_timestamp() and paused_until > statement_timestamp() - interval '30 seconds'
      """;

  private static final String NEXT =
      """
      select (extract(epoch from least(
        (select min(ready_at) from workflow_execution_queue where state = 'PENDING' and gate = 'delayed'),
        (select min(expires_at) from workflow_execution_queue where state = 'PENDING' and expires_at is not null),
        (select min(terminate_at) from workflow_execution_queue where terminate_at is not null),
        (select min(paused_until) from workspace where paused_until > statement_timestamp()),
        (select min(paused_until) from workflow_definition where paused_until > statement_timestamp())
      ) - statement_timestamp()) * 1000)::bigint
      """;

  private final JdbcTemplate jdbc;

  public WakeLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Answers the workspaces that have more in line now. */
  public List<String> wake(int most) {
    return jdbc.queryForList(WAKE, String.class, most);
  }

  public List<Named> overdue(int most) {
    return jdbc.query(OVERDUE, Named.ROW, most);
  }

  /** Answers those to be terminated. */
  public List<Named> stopNow(int most) {
    return jdbc.query(STOP, Named.ROW, most);
  }

  public List<String> resumedWorkspaces() {
    return jdbc.queryForList(RESUMED, String.class);
  }

  /** From now, by the database's clock; empty when nothing is to come. */
  public Optional<Duration> untilNext() {
    return jdbc.queryForList(NEXT, Long.class).stream()
        .filter(ms -> ms != null)
        .map(ms -> Duration.ofMillis(Math.max(0, ms)))
        .findFirst();
  }
}
