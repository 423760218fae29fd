package dev.sluice.dispatcher.ledger;

import static java.util.stream.Collectors.toSet;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.Json;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Requests become rows that wait, or that say why they have failed. */
public final class IntakeLedger {
  /**
   * One statement for a whole batch, in the order of arrival, which is the order of {@code seq}. A
   * request that is there already changes nothing: the id is the whole of deduplication.
   */
  private static final String ACCEPT =
      """
      with asked as (
        select * from unnest(?::uuid[], ?::text[], ?::text[], ?::smallint[], ?::json[], ?::text[], ?::timestamptz[],
                             ?::timestamptz[], ?::bigint[], ?::text[], ?::json[], ?::text[], ?::text[], ?::boolean[]) with ordinality
          as a(id, workspace_id, definition_id, priority, input, idempotency_key, not_before,
               expires_at, deadline_ms, partition_key, limits, parent_id, traceparent, is_over, n)
      ), of_key as (
        select n, row_number() over (partition by workspace_id, definition_id, partition_key order by n) as nth
          from asked where partition_key is not null
      ), accepted as (
        insert into workflow_execution_queue as q
          (id, workspace_id, definition_id, definition_version, priority, input, idempotency_key, not_before,
           expires_at, deadline_ms, partition_key, limit_keys, limit_maxes, parent_id, traceparent,
           gate, ready_at, state, failure_code, failure_message, ended_at)
        select a.id, a.workspace_id, a.definition_id, v.version, a.priority, a.input, a.idempotency_key, a.not_before,
               a.expires_at, a.deadline_ms, a.partition_key,
               case when a.limits is not null then (select array_agg(l->>'key') from json_array_elements(a.limits) l) end,
               case when a.limits is not null then (select array_agg((l->>'max')::int) from json_array_elements(a.limits) l) end,
               a.parent_id, a.traceparent,
               case when f.code is null and a.not_before > statement_timestamp() then 'delayed' else 'ready' end,
               a.not_before,
               case when f.code is not null then 'FAILED' else 'PENDING' end, f.code, f.message,
               case when f.code is not null then statement_timestamp() end
          from asked a
          left join of_key k on k.n = a.n
          left join workspace w on w.id = a.workspace_id
          left join workflow_definition d on d.workspace_id = a.workspace_id and d.id = a.definition_id
          left join workflow_definition_version v
                 on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
         cross join lateral (
           select case when w.id is null then 'UNKNOWN_WORKSPACE'
                       when d.id is null then 'UNKNOWN_DEFINITION'
                       when v.version is null then 'UNKNOWN_VERSION'
                       when a.is_over then 'BACKLOG_FULL'
                       when d.collision = 'reject' and a.partition_key is not null and (
                            k.nth > 1
                            or exists (select from workflow_execution_queue q
                                        where q.workspace_id = a.workspace_id and q.partition_key = a.partition_key
                                          and q.definition_id = a.definition_id and q.state = 'PENDING')
                            or exists (select from workflow_execution e
                                        where e.workspace_id = a.workspace_id and e.partition_key = a.partition_key
                                          and e.definition_id = a.definition_id and e.status = 'RUNNING'))
                         then 'COLLISION' end as code) r
         cross join lateral (
           select r.code, case r.code
             when 'UNKNOWN_WORKSPACE' then format('workspace %s does not exist: create it, then retry', a.workspace_id)
             when 'UNKNOWN_DEFINITION' then format('definition %s does not exist in workspace %s: create it, then retry', a.definition_id, a.workspace_id)
             when 'UNKNOWN_VERSION' then format('definition %s has no version %s: put it again, then retry', a.definition_id, d.current_version)
             when 'BACKLOG_FULL' then format('workspace %s has as many requests waiting as it may have: retry when some have started, or raise its backlogLimit', a.workspace_id)
             when 'COLLISION' then format('another request of definition %s with partitionKey %s waits or runs, and its collision strategy is reject: retry when that is over', a.definition_id, a.partition_key)
             end as message) f
         order by a.n
        on conflict (id) do nothing
        returning q.id, q.seq, q.workspace_id, q.definition_id, q.priority, q.accepted_at, q.traceparent, q.state, q.gate,
                  q.failure_code, q.failure_message, q.expires_at
      ), told as (
        select tell_change(q.id, 1, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0, q.traceparent)
          from accepted q where q.state <> 'FAILED'
        union all
        select tell(q.id || ':1', q.id, q.workspace_id, 'failed', q.accepted_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, q.state, q.accepted_at, 0,
                 'failure', json_build_object('code', q.failure_code, 'message', q.failure_message)))
          from accepted q where q.state = 'FAILED'
      ), events as materialized (
        -- Counted once: as a part of the join below it may be for each row, all of them again.
        select count(*) from told
      )
      select q.id, q.workspace_id, q.definition_id, q.state, q.gate, q.failure_code, q.expires_at is not null as expires
        from accepted q
       cross join events
       order by q.priority, q.seq
      """;

  /**
   * Whom these, while they wait, put an end to. Asked of every request with a partition key, also
   * of one that was here before: who crashed after accepting it may not have come this far.
   */
  private static final String COLLIDING =
      """
      select distinct other.id, q.workspace_id
        from workflow_execution_queue q
        join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
       cross join lateral (
         select o.id from workflow_execution_queue o
          where d.collision = 'replace-waiting' and o.workspace_id = q.workspace_id and o.partition_key = q.partition_key
            and o.definition_id = q.definition_id and o.state = 'PENDING' and o.seq < q.seq
         union all
         select e.id from workflow_execution e
          where d.collision = 'cancel-running' and e.workspace_id = q.workspace_id and e.partition_key = q.partition_key
            and e.definition_id = q.definition_id and e.status = 'RUNNING' and e.id <> q.id) other
       where q.id = any(?::uuid[]) and q.state = 'PENDING' and d.collision in ('replace-waiting', 'cancel-running')
      """;

  /** Each branch has its partial index, and none is read further than the cap. */
  private static final String WAITING =
      """
      select w.id, c.cap, (select count(*) from (
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'ready' limit c.cap)
               union all
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'delayed' limit c.cap)
               union all
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'parked' and parked_on = 'partition' limit c.cap)
               union all
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'parked' and parked_on = 'definition' limit c.cap)
               union all
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'parked' and parked_on = 'limit' limit c.cap)
               union all
               (select from workflow_execution_queue
                 where workspace_id = w.id and state = 'PENDING' and gate = 'parked' and parked_on = 'paused' limit c.cap)) all_of_them) as waiting
        from workspace w cross join lateral (select coalesce(w.backlog_limit, ?) as cap) c
       where w.id = any(?::text[])
      """;

  private static final String KNOWN =
      "select id from workflow_execution_queue where id = any(?::uuid[])";

  private final JdbcTemplate jdbc;
  private final PlainLedger plainLedger;

  public IntakeLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
    this.plainLedger = new PlainLedger(jdbc);
  }

  /** A readable request with the id it will keep. */
  public record NewItem(UUID id, ExecutionRequest request, @Nullable String traceparent) {
    /** Nothing but its place in line decides when it starts. */
    boolean isPlain() {
      return request.partitionKey() == null
          && request.limits().isEmpty()
          && request.notBefore() == null
          && request.expiresAt() == null;
    }
  }

  /** A row that was not there before. */
  public record Accepted(
      UUID id,
      String workspaceId,
      String definitionId,
      boolean failed,
      boolean claimed,
      boolean delayed,
      @Nullable String failureCode,
      boolean expires) {
    static Accepted waiting(UUID id, String workspaceId, String definitionId) {
      return new Accepted(id, workspaceId, definitionId, false, false, false, null, false);
    }

    static Accepted withSlot(Claim claim) {
      return new Accepted(
          claim.id(), claim.workspaceId(), claim.definitionId(), false, true, false, null, false);
    }
  }

  /** How many of a workspace may wait, and how many do. */
  public record Waiting(String workspaceId, int cap, int waiting) {}

  /**
   * All of them wait, in one statement or two.
   *
   * @param overCap those for which there is no room in their workspace's backlog
   * @param accepted to which is added what is new, as soon as it is stored, whatever becomes of the
   *     rest
   */
  public void accept(List<NewItem> items, Set<UUID> overCap, Collection<Accepted> accepted) {
    Set<String> plain = PlainLedger.plain(items, overCap).keySet();
    List<Accepted> stored = plain.isEmpty() ? List.of() : plainLedger.store(of(plain, items));
    accepted.addAll(stored);
    // Also those that the first has left: they were here before, or something is wrong with them.
    List<NewItem> rest = without(stored, items);
    if (!rest.isEmpty()) {
      accepted.addAll(storeAny(rest, overCap));
    }
  }

  /** Whatever there is to a request. Answers only what is new. */
  List<Accepted> storeAny(List<NewItem> items, Set<UUID> overCap) {
    return jdbc.query(
        ACCEPT,
        (row, n) -> acceptedOf(row),
        Columns.of(items, NewItem::id),
        Columns.of(items, i -> i.request().workspaceId()),
        Columns.of(items, i -> i.request().definitionId()),
        Columns.of(items, i -> i.request().priority()),
        Columns.of(items, i -> i.request().input()),
        Columns.of(items, i -> i.request().idempotencyKey()),
        Columns.of(items, i -> i.request().notBefore()),
        Columns.of(items, i -> i.request().expiresAt()),
        Columns.of(items, i -> millis(i.request().deadline())),
        Columns.of(items, i -> i.request().partitionKey()),
        Columns.of(items, i -> limits(i.request())),
        Columns.of(items, i -> i.request().parentId()),
        Columns.of(items, NewItem::traceparent),
        Columns.of(items, i -> overCap.contains(i.id())));
  }

  /** Those for these workspaces. */
  public static List<NewItem> of(Set<String> workspaces, List<NewItem> items) {
    return items.stream()
        .filter(item -> workspaces.contains(item.request().workspaceId()))
        .toList();
  }

  /** Those that are not stored yet. */
  public static List<NewItem> without(List<Accepted> stored, List<NewItem> items) {
    Set<UUID> ids = stored.stream().map(Accepted::id).collect(toSet());
    return items.stream().filter(item -> !ids.contains(item.id())).toList();
  }

  private static Accepted acceptedOf(ResultSet row) throws SQLException {
    return new Accepted(
        row.getObject("id", UUID.class),
        row.getString("workspace_id"),
        row.getString("definition_id"),
        row.getString("state").equals("FAILED"),
        false,
        row.getString("gate").equals("delayed"),
        row.getString("failure_code"),
        row.getBoolean("expires"));
  }

  public List<Named> colliding(List<UUID> ids) {
    return jdbc.query(COLLIDING, Named.ROW, Columns.of(ids, id -> id));
  }

  public List<Waiting> waiting(List<String> workspaceIds, int cap) {
    return jdbc.query(
        WAITING,
        (row, n) -> new Waiting(row.getString("id"), row.getInt("cap"), row.getInt("waiting")),
        cap,
        Columns.of(workspaceIds, w -> w));
  }

  /** Those of them that are rows already. */
  public Set<UUID> known(List<UUID> ids) {
    return Set.copyOf(
        jdbc.query(KNOWN, (row, n) -> row.getObject("id", UUID.class), Columns.of(ids, id -> id)));
  }

  private static @Nullable String limits(ExecutionRequest request) {
    return request.limits().isEmpty() ? null : Json.MAPPER.writeValueAsString(request.limits());
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : Math.max(1, duration.toMillis());
  }
}
