package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** What a new owner finds, and how it makes the claims of the old one its own. */
public final class TakeoverLedger {
  private static final String CLAIMED =
      """
      select id, workspace_id, claim_token from workflow_execution_queue where state = 'CLAIMED'
      """;

  /** With its whole workspace, for the same reason as below. */
  private static final String CLAIMED_WITH =
      CLAIMED
          + " and workspace_id = (select workspace_id from workflow_execution_queue where id = ?"
          + " and state = 'CLAIMED') order by seq";

  /**
   * A dispatcher that is at work on a claim settles it, or confirms it, well within this time. With
   * a quiet one its whole workspace is taken over, or a later request could start before an
   * earlier. Which workspaces these are is asked once, before anything else: as a join it was asked
   * again for each claim, of all the others.
   */
  private static final String QUIET =
      CLAIMED
          + """
           and workspace_id = any(array(
             select distinct workspace_id from workflow_execution_queue
              where state = 'CLAIMED' and claimed_at < statement_timestamp() - interval '30 seconds'))
           order by seq
          """;

  private static final String OPEN =
      """
      select e.id, e.workspace_id, q.cancel_requested_at is not null as cancel_requested
        from workflow_execution e join workflow_execution_queue q on q.id = e.id
       where e.status = 'RUNNING' and q.state = 'DISPATCHED'
       order by q.seq
      """;

  /** One index probe a workspace, however many rows wait in it. */
  private static final String WAITING_WORKSPACES =
      """
      with recursive waiting as (
        (select workspace_id from workflow_execution_queue
          where state = 'PENDING' and gate = 'ready' order by workspace_id limit 1)
        union all
        select (select q.workspace_id from workflow_execution_queue q
                 where q.state = 'PENDING' and q.gate = 'ready' and q.workspace_id > w.workspace_id
                 order by q.workspace_id limit 1)
          from waiting w where w.workspace_id is not null
      )
      select workspace_id from waiting where workspace_id is not null
      """;

  /**
   * Each kind by name, because each has an index of its own: asked for all of them at once,
   * PostgreSQL reads the whole table, with all that was over long ago.
   */
  private static final String PARKED_WORKSPACES =
      """
      select workspace_id from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'partition'
      union
      select workspace_id from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'definition'
      union
      select workspace_id from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'limit'
      union
      select workspace_id from workflow_execution_queue where state = 'PENDING' and gate = 'parked' and parked_on = 'paused'
       order by workspace_id
      """;

  private static final String RETAKE =
      """
      with taken as (
        update workflow_execution_queue q
           set claim_token = gen_random_uuid(), claim_owner = ?::uuid, claimed_at = statement_timestamp(), redrives = q.redrives + 1,
               revision = q.revision + 1
          from unnest(?::uuid[], ?::uuid[]) as s(id, token)
         where q.id = s.id and q.state = 'CLAIMED' and q.claim_token = s.token
        returning q.*
      ), made_again as (
        insert into workflow_execution (id, workspace_id, definition_id, definition_version, partition_key, limit_keys, started_at)
        select id, workspace_id, definition_id, definition_version, partition_key, limit_keys, claimed_at from taken
        on conflict (id) do update set started_at = excluded.started_at where workflow_execution.status = 'RUNNING'
        returning id, xmax = 0 as is_new
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, 'claimed', q.claimed_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, q.attempts)
          from taken q
      )
      select %s, coalesce(d.max_attempts, 1) as max_attempts, d.first_backoff_ms, d.longest_backoff_ms,
             coalesce(p.weight, 1) as weight, coalesce(m.is_new, false) as execution_was_missing
        from taken q
        left join workspace w on w.id = q.workspace_id
        left join plan p on p.id = w.plan_id
        left join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
        left join made_again m on m.id = q.id
       order by q.priority, q.seq
      """
          .formatted(AdmitSql.CLAIM_COLUMNS);

  /**
   * Under maintenance mode cancel: what was waiting when it began. In any other mode the queue is
   * not so much as looked at, which its own limit makes sure of.
   */
  private static final String TO_CANCEL =
      """
      select q.id, q.workspace_id
        from maintenance m
       cross join lateral (select id, workspace_id, seq from workflow_execution_queue
                            where state = 'PENDING' and accepted_at <= m.changed_at
                            order by seq limit ?) q
       where m.mode = 'cancel'
       order by q.seq
      """;

  /** And what was running, each asked once. */
  private static final String TO_STOP =
      """
      select s.id, s.workspace_id
        from maintenance m
       cross join lateral (select q.id, q.workspace_id, q.seq
                             from workflow_execution e join workflow_execution_queue q on q.id = e.id
                            where e.status = 'RUNNING' and q.cancel_requested_at is null
                            order by q.seq limit ?) s
       where m.mode = 'cancel'
       order by s.seq
      """;

  /** A FAILED item keeps its id: nothing was started under it. */
  private static final String RETRY_FAILED =
      """
      with again as (
        update workflow_execution_queue q
           set state = 'PENDING', gate = 'ready', attempts = 0, failure_code = null, failure_message = null,
               ended_at = null, cancel_requested_at = null, terminate_at = null, definition_version = v.version, revision = q.revision + 1
          from workflow_definition d
          join workflow_definition_version v
            on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
         where q.id = ?::uuid and q.workspace_id = ? and q.state = 'FAILED'
           and d.workspace_id = q.workspace_id and d.id = q.definition_id
        returning q.*
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, 'pending', statement_timestamp(), q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'PENDING', statement_timestamp(), 0)
          from again q
      )
      select count(*) from again
      """;

  /** A closed workflow is asked for again under a new id, which names the old one. */
  private static final String RETRY_CLOSED =
      """
      with again as (
        insert into workflow_execution_queue
          (id, workspace_id, definition_id, definition_version, state, priority, input, deadline_ms, partition_key,
           limit_keys, limit_maxes, parent_id, traceparent, retry_of)
        select ?::uuid, q.workspace_id, q.definition_id, d.current_version, 'PENDING', q.priority, q.input, q.deadline_ms,
               q.partition_key, q.limit_keys, q.limit_maxes, q.parent_id, q.traceparent, q.id
          from workflow_execution_queue q
          join workflow_execution e on e.id = q.id and e.status <> 'RUNNING'
          join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
         where q.id = ?::uuid and q.workspace_id = ?
        on conflict (id) do nothing
        returning *
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':1', q.id, q.workspace_id, 'pending', q.accepted_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0)
          from again q
      )
      select count(*) from again
      """;

  private final JdbcTemplate jdbc;
  private final UUID owner;

  public TakeoverLedger(JdbcTemplate jdbc, UUID owner) {
    this.jdbc = jdbc;
    this.owner = owner;
  }

  public record Held(UUID id, String workspaceId, UUID token) {}

  public record Open(UUID id, String workspaceId, boolean cancelRequested) {}

  /**
   * A claim that is ours now.
   *
   * @param executionWasMissing somebody deleted its execution row; it was made again
   */
  public record Retaken(Claim claim, boolean executionWasMissing) {}

  public List<Held> claimed() {
    return jdbc.query(CLAIMED + " order by seq", (row, n) -> held(row));
  }

  /** An item's claim and all others of its workspace; none when it has no claim. */
  public List<Held> claimedWith(UUID id) {
    return jdbc.query(CLAIMED_WITH, (row, n) -> held(row), id);
  }

  /**
   * Claims in workspaces where nobody seems to be at work on one: it is of a dispatcher that is
   * gone, or our own, and we never heard that its commit went through.
   */
  public List<Held> quietClaims() {
    return jdbc.query(QUIET, (row, n) -> held(row));
  }

  public List<Open> open() {
    return jdbc.query(
        OPEN,
        (row, n) ->
            new Open(
                row.getObject("id", UUID.class),
                row.getString("workspace_id"),
                row.getBoolean("cancel_requested")));
  }

  /** Whatever maintenance mode cancel puts an end to, a batch at a time; none in other modes. */
  public List<Named> endedByMaintenance(int most) {
    var items = new ArrayList<>(jdbc.query(TO_CANCEL, Named.ROW, most));
    items.addAll(jdbc.query(TO_STOP, Named.ROW, most));
    return items;
  }

  public List<String> waitingWorkspaces() {
    return jdbc.queryForList(WAITING_WORKSPACES, String.class);
  }

  public List<String> parkedWorkspaces() {
    return jdbc.queryForList(PARKED_WORKSPACES, String.class);
  }

  /** Guarded by the token that was seen: of two new owners, one gets it. */
  public List<Retaken> retake(List<Held> held, boolean lookFirst) {
    return jdbc.query(
        RETAKE,
        (row, n) ->
            new Retaken(
                AdmitLedger.claimOf(row, true, lookFirst), row.getBoolean("execution_was_missing")),
        owner,
        Columns.of(held, Held::id),
        Columns.of(held, Held::token));
  }

  /** Answers whether anything is to be done again. */
  public boolean retry(UUID id, String workspaceId, UUID newId) {
    return count(jdbc.queryForObject(RETRY_FAILED, Integer.class, id, workspaceId)) > 0
        || count(jdbc.queryForObject(RETRY_CLOSED, Integer.class, newId, id, workspaceId)) > 0;
  }

  private static int count(@Nullable Integer value) {
    return value == null ? 0 : value;
  }

  private static Held held(ResultSet row) throws SQLException {
    return new Held(
        row.getObject("id", UUID.class),
        row.getString("workspace_id"),
        row.getObject("claim_token", UUID.class));
  }
}
