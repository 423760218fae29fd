package dev.sluice.dispatcher.ledger;

import dev.sluice.contracts.WorkflowStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/** Closed workflows free their slots. All of it needs the lock of the workspaces concerned. */
public final class FinishLedger {
  /**
   * Not before its start is settled, so that the events come in order; it is looked at again then.
   * An item that is not under way has no execution: a slot held in its name is held by nothing.
   * Claims and releases change both rows at once, so only a hand or a fault leaves one behind. Rows
   * are named by their ids, for the same reason as in {@link AdmitSql}.
   */
  private static final String CLOSE =
      """
      with asked as (
        select s.* from unnest(?::uuid[], ?::text[], ?::json[], ?::text[], ?::text[]) as s(id, status, result, error, run_id)
      ), items as (
        select q.id, q.state from workflow_execution_queue q where q.id = any(array(select id from asked))
      ), closed as (
        update workflow_execution e
           set status = s.status, closed_at = statement_timestamp(), result = s.result, error = s.error,
               run_id = s.run_id
          from asked s
         where e.id = s.id and case when e.status = 'RUNNING' then true else false end
           and (select q.state from workflow_execution_queue q where q.id = s.id) = 'DISPATCHED'
        returning e.*
      ), told as (
        select tell_close(q.id, q.workspace_id, q.definition_id, e.closed_at, q.attempts, q.traceparent,
                          coalesce(e.run_id, q.run_id), e.status, e.result, e.error)
          from closed e
         -- The limit makes it one probe for each: joined, the batch would be searched for each of its rows.
         cross join lateral (select * from workflow_execution_queue q where q.id = e.id limit 1) q
      ), events as materialized (
        select count(*) from told
      ), strays as (
        delete from workflow_execution e
         where e.id = any(array(select id from items where state not in ('CLAIMED', 'DISPATCHED')))
           and case when e.status = 'RUNNING' then true else false end
        returning e.*
      ), freed as materialized (
        -- Before any is left out below: what nobody asks for is not evaluated, and the events must be told for all.
        select e.* from (select * from closed union all select * from strays) e cross join events
      )
      select id, workspace_id, definition_id, partition_key, limit_keys
        from freed e
       where exists (select from workflow_execution_queue o
                      where o.workspace_id = e.workspace_id and o.definition_id = e.definition_id
                        and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on = 'definition')
          or (e.partition_key is not null and exists (
               select from workflow_execution_queue o
                where o.workspace_id = e.workspace_id and o.partition_key = e.partition_key
                  and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on = 'partition'))
          or (e.limit_keys is not null and exists (
               select from workflow_execution_queue o
                where o.workspace_id = e.workspace_id and o.parked_key = any(e.limit_keys)
                  and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on = 'limit'))
      """;

  /** The same, when Temporal does not know the workflow. */
  private static final String FREE_STRAYS =
      """
      delete from workflow_execution e using workflow_execution_queue q
       where e.id = any(?::uuid[]) and e.status = 'RUNNING'
         and q.id = e.id and q.state not in ('CLAIMED', 'DISPATCHED')
      returning e.id, e.workspace_id, e.definition_id, e.partition_key, e.limit_keys
      """;

  private static final String OPEN =
      """
      select e.id, e.workspace_id, e.definition_id, e.partition_key, e.limit_keys
        from workflow_execution e join workflow_execution_queue q on q.id = e.id
       where e.id = any(?::uuid[]) and e.status = 'RUNNING' and q.state = 'DISPATCHED'
      """;

  /**
   * The first that waits for the same partition key, for the same definition and for each of the
   * same limits get back in line. Too many do no harm: admission parks them again.
   */
  private static final String UNPARK =
      """
      update workflow_execution_queue q
         set gate = 'ready', parked_on = null, parked_key = null, parked_max = null, woken_for = q.parked_on, woken_key = q.parked_key
       where q.id = any(array(
         select next.id
           from (select distinct f.workspace_id, f.definition_id, f.partition_key, f.limit_key
                   from unnest(?::text[], ?::text[], ?::text[], ?::text[]) as f(workspace_id, definition_id, partition_key, limit_key)) f
          cross join lateral (
            (select id from workflow_execution_queue
              where workspace_id = f.workspace_id and partition_key = f.partition_key
                and state = 'PENDING' and gate = 'parked' and parked_on = 'partition'
              order by priority, seq limit 1)
            union all
            (select id from workflow_execution_queue
              where workspace_id = f.workspace_id and definition_id = f.definition_id
                and state = 'PENDING' and gate = 'parked' and parked_on = 'definition'
              order by priority, seq limit 1)
            union all
            (select id from workflow_execution_queue
              where workspace_id = f.workspace_id and parked_key = f.limit_key
                and state = 'PENDING' and gate = 'parked' and parked_on = 'limit'
                and parked_max > (select count(*) from workflow_execution e
                                   where e.workspace_id = f.workspace_id and e.status = 'RUNNING'
                                     and e.limit_keys is not null and f.limit_key = any(e.limit_keys))
              order by priority, seq limit 1)) next))
         and case when q.state = 'PENDING' and q.gate = 'parked' then true else false end
      """;

  /**
   * Those that got back in line for one reason and had to stand aside for another: what they were
   * woken for is still free, and the next that waits for it must hear of that. Not so for a
   * partition key, whose next waits for this very item.
   */
  private static final String PASSED_ON =
      """
      with moved as (
        update workflow_execution_queue q set woken_for = null, woken_key = null
          from (select id, woken_for, woken_key from workflow_execution_queue
                 where workspace_id = any(?::text[]) and state = 'PENDING' and gate = 'parked' and woken_for is not null) w
         where q.id = w.id and q.state = 'PENDING' and q.gate = 'parked'
        returning q.workspace_id, q.definition_id, q.parked_on, q.parked_key, w.woken_for, w.woken_key
      )
      select workspace_id, definition_id, null as limit_key from moved
       where woken_for = 'definition' and parked_on not in ('definition', 'paused')
      union
      select workspace_id, null, woken_key from moved
       where woken_for = 'limit' and parked_key is distinct from woken_key
      """;

  /**
   * A limit changed, or the safety net is due: who may be able to start gets back in line. Of each
   * partition key, definition and limit that is free, the first so many, so that thousands that
   * wait for one thing keep nobody from what he waits for, and none of them is touched as long as
   * it is held. Each of them costs one probe of an index.
   */
  private static final String UNPARK_ALL =
      """
      with recursive asked as (
        select distinct workspace_id from unnest(?::text[]) as a(workspace_id)
      ), partitions as (
        $PARTITIONS
      ), definitions as (
        $DEFINITIONS
      ), pauses as (
        $PAUSES
      ), limits as (
        $LIMITS
      ), next as (
        select n.id from partitions p
         cross join lateral (select id from workflow_execution_queue
                              where workspace_id = p.workspace_id and partition_key = p.key
                                and state = 'PENDING' and gate = 'parked' and parked_on = 'partition'
                              order by priority, seq limit 1) n
         where not exists (select from workflow_execution e
                            where e.workspace_id = p.workspace_id and e.partition_key = p.key and e.status = 'RUNNING')
        union all
        select n.id from definitions p
          left join workflow_definition d on d.workspace_id = p.workspace_id and d.id = p.key
         cross join lateral (select count(*) as held from workflow_execution e
                              where e.workspace_id = p.workspace_id and e.definition_id = p.key and e.status = 'RUNNING') h
         cross join lateral (select id from workflow_execution_queue
                              where workspace_id = p.workspace_id and definition_id = p.key
                                and state = 'PENDING' and gate = 'parked' and parked_on = 'definition'
                              order by priority, seq limit ?) n
         where d.concurrency_limit is null or h.held < d.concurrency_limit
        union all
        select n.id from pauses p
          left join workflow_definition d on d.workspace_id = p.workspace_id and d.id = p.key
         cross join lateral (select id from workflow_execution_queue
                              where workspace_id = p.workspace_id and definition_id = p.key
                                and state = 'PENDING' and gate = 'parked' and parked_on = 'paused'
                              order by priority, seq limit ?) n
         where d.paused_at is null or d.paused_until <= statement_timestamp()
        union all
        select n.id from limits p
         cross join lateral (select count(*) as held from workflow_execution e
                              where e.workspace_id = p.workspace_id and e.status = 'RUNNING'
                                and e.limit_keys is not null and p.key = any(e.limit_keys)) h
         cross join lateral (select id from workflow_execution_queue
                              where workspace_id = p.workspace_id and parked_key = p.key
                                and state = 'PENDING' and gate = 'parked' and parked_on = 'limit' and parked_max > h.held
                              order by priority, seq limit ?) n
      )
      update workflow_execution_queue q
         set gate = 'ready', parked_on = null, parked_key = null, parked_max = null
       -- Joined with, they would be found anew for each of all that wait, as far as the planner can tell.
       where q.id = any(array(select id from next)) and case when q.state = 'PENDING' and q.gate = 'parked' then true else false end
      """
          .replace("$PARTITIONS", keysOf("partitions", "partition_key", "partition"))
          .replace("$DEFINITIONS", keysOf("definitions", "definition_id", "definition"))
          .replace("$PAUSES", keysOf("pauses", "definition_id", "paused"))
          .replace("$LIMITS", keysOf("limits", "parked_key", "limit"));

  /** All that some wait for: from one to the next by the index, not through all that wait. */
  private static String keysOf(String name, String column, String reason) {
    return """
    select a.workspace_id, first.key from asked a
     cross join lateral (select $COLUMN as key from workflow_execution_queue
                          where workspace_id = a.workspace_id
                            and state = 'PENDING' and gate = 'parked' and parked_on = '$REASON'
                          order by $COLUMN limit 1) first
    union all
    select k.workspace_id, after.key from $NAME k
     cross join lateral (select $COLUMN as key from workflow_execution_queue
                          where workspace_id = k.workspace_id and $COLUMN > k.key
                            and state = 'PENDING' and gate = 'parked' and parked_on = '$REASON'
                          order by $COLUMN limit 1) after
    """
        .replace("$COLUMN", column)
        .replace("$REASON", reason)
        .replace("$NAME", name)
        .indent(2)
        .strip();
  }

  private static final String CANCEL =
      """
      with asked as (
        select s.* from unnest(?::uuid[], ?::text[]) as s(id, workspace_id)
      ), cancelled as (
        update workflow_execution_queue q
           set state = 'CANCELLED', ended_at = statement_timestamp(), gate = 'ready', parked_on = null, parked_key = null,
               revision = q.revision + 1
          from asked s
         where q.id = s.id and q.workspace_id = s.workspace_id and q.id = any(array(select id from asked))
           and case when q.state = 'PENDING' then true else false end
        returning q.*
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, 'cancelled', q.ended_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'CANCELLED', q.ended_at, q.attempts)
          from cancelled q
      )
      select id, workspace_id, definition_id, partition_key, limit_keys from cancelled order by seq
      """;

  /** Of those that have just been given back, what was to be cancelled while it was claimed. */
  private static final String CANCEL_ASKED =
      CANCEL.replace(
          "when q.state = 'PENDING' then",
          "when q.state = 'PENDING' and q.cancel_requested_at is not null then");

  /** Too late to take back: the workflow will be asked to stop. Answers what is to be asked now. */
  private static final String ASK_TO_STOP =
      """
      update workflow_execution_queue q
         set cancel_requested_at = coalesce(q.cancel_requested_at, statement_timestamp()),
             terminate_at = coalesce(least(q.terminate_at, statement_timestamp() + s.terminate_ms * interval '1 millisecond'),
                                     q.terminate_at)
        from unnest(?::uuid[], ?::text[], ?::bigint[]) as s(id, workspace_id, terminate_ms)
       where q.id = s.id and q.workspace_id = s.workspace_id
         and (q.state = 'CLAIMED' or (q.state = 'DISPATCHED' and exists (
               select from workflow_execution e where e.id = q.id and e.status = 'RUNNING')))
      returning q.id, q.workspace_id, q.definition_id, q.partition_key, q.limit_keys
      """;

  private static final String EXPIRE =
      """
      with expired as (
        update workflow_execution_queue q
           set state = 'EXPIRED', ended_at = statement_timestamp(), gate = 'ready', parked_on = null, parked_key = null,
               revision = q.revision + 1
         where q.id = any(?::uuid[]) and q.state = 'PENDING' and q.expires_at <= statement_timestamp()
        returning q.*
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, 'expired', q.ended_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'EXPIRED', q.ended_at, q.attempts)
          from expired q
      )
      select id, workspace_id, definition_id, partition_key, limit_keys from expired
      """;

  private final JdbcTemplate jdbc;

  public FinishLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** How a workflow ended, as Temporal tells it. */
  public record Close(
      UUID id,
      String workspaceId,
      WorkflowStatus status,
      @Nullable String result,
      @Nullable String error,
      @Nullable String runId) {

    /** What is left to write when the result is not storable. */
    public Close withoutResult() {
      return new Close(id, workspaceId, status, null, "the result could not be stored", runId);
    }
  }

  /**
   * An item of a workspace, as somebody outside names it.
   *
   * @param terminateAfter when it is still open so long after it was asked to stop
   */
  public record Named(UUID id, String workspaceId, @Nullable Duration terminateAfter) {
    static final RowMapper<Named> ROW =
        (row, n) -> new Named(row.getObject("id", UUID.class), row.getString("workspace_id"));

    public Named(UUID id, String workspaceId) {
      this(id, workspaceId, null);
    }
  }

  /** Answers those that others stand aside for. */
  public List<Freed> close(List<Close> closes) {
    return jdbc.query(
        CLOSE,
        Freed.ROW,
        Columns.of(closes, Close::id),
        Columns.of(closes, Close::status),
        Columns.of(closes, Close::result),
        Columns.of(closes, Close::error),
        Columns.of(closes, Close::runId));
  }

  /** Of these items, frees the slots that nothing holds. */
  public List<Freed> freeStrays(List<UUID> ids) {
    return jdbc.query(FREE_STRAYS, Freed.ROW, Columns.of(ids, id -> id));
  }

  /** Of these items, those whose workflow was started and is not known to have closed. */
  public List<Freed> open(List<UUID> ids) {
    return jdbc.query(OPEN, Freed.ROW, Columns.of(ids, id -> id));
  }

  public int unpark(List<Freed> freed) {
    var ends = new ArrayList<End>();
    for (Freed item : freed) {
      ends.add(new End(item.workspaceId(), item.definitionId(), item.partitionKey(), null));
      item.limitKeys().forEach(key -> ends.add(new End(item.workspaceId(), null, null, key)));
    }
    return wakeNext(ends);
  }

  /** After an admission that parked something: see {@link #PASSED_ON}. Answers how many it woke. */
  public int passOn(List<String> workspaceIds) {
    List<End> ends =
        jdbc.query(
            PASSED_ON,
            (row, n) ->
                new End(
                    row.getString("workspace_id"),
                    row.getString("definition_id"),
                    null,
                    row.getString("limit_key")),
            Columns.of(workspaceIds, w -> w));
    return ends.isEmpty() ? 0 : wakeNext(ends);
  }

  /** What is free again; absent is what is not. */
  private record End(
      String workspaceId,
      @Nullable String definitionId,
      @Nullable String partitionKey,
      @Nullable String limitKey) {}

  private int wakeNext(List<End> ends) {
    return jdbc.update(
        UNPARK,
        Columns.of(ends, End::workspaceId),
        Columns.of(ends, End::definitionId),
        Columns.of(ends, End::partitionKey),
        Columns.of(ends, End::limitKey));
  }

  /**
   * @param most of those that wait for the same
   */
  public int unparkAll(List<String> workspaceIds, int most) {
    return jdbc.update(UNPARK_ALL, Columns.of(workspaceIds, w -> w), most, most, most);
  }

  public List<Freed> cancel(List<Named> items) {
    return jdbc.query(
        CANCEL, Freed.ROW, Columns.of(items, Named::id), Columns.of(items, Named::workspaceId));
  }

  /** The same, but only those of which that was asked while they were claimed. */
  public List<Freed> cancelAsked(List<Named> items) {
    return jdbc.query(
        CANCEL_ASKED,
        Freed.ROW,
        Columns.of(items, Named::id),
        Columns.of(items, Named::workspaceId));
  }

  public List<Freed> askToStop(List<Named> items) {
    return jdbc.query(
        ASK_TO_STOP,
        Freed.ROW,
        Columns.of(items, Named::id),
        Columns.of(items, Named::workspaceId),
        Columns.of(items, i -> i.terminateAfter() == null ? null : i.terminateAfter().toMillis()));
  }

  public List<Freed> expire(List<Named> items) {
    return jdbc.query(EXPIRE, Freed.ROW, Columns.of(items, Named::id));
  }
}
