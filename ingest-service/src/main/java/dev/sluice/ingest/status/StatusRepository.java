package dev.sluice.ingest.status;

import dev.sluice.ingest.flow.FlowState;
import dev.sluice.ingest.flow.Pause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads what dispatchers wrote; never writes. */
@Repository
class StatusRepository {
  /** How far back a position is counted. */
  static final int FARTHEST_POSITION = 100_000;

  private static final String ITEMS =
      """
      select q.id, q.seq, q.workspace_id, q.definition_id, q.definition_version, q.state, q.priority,
             q.attempts, q.redrives, q.gate, q.ready_at, q.parked_on, q.parked_key, q.parked_max,
             q.failure_code, q.failure_message, q.claim_owner,
             q.accepted_at, q.claimed_at, q.dispatched_at, q.ended_at, q.cancel_requested_at, q.terminate_at,
             q.not_before, q.expires_at, q.deadline_ms, q.partition_key, q.limit_keys, q.limit_maxes,
             q.parent_id, q.idempotency_key, q.retry_of, e.status, e.started_at, e.closed_at, e.result, e.error, coalesce(e.run_id, q.run_id) as run,
             v.graph is not null as is_graph
        from workflow_execution_queue q
        left join workflow_execution e on e.id = q.id
        left join workflow_definition_version v
          on v.workspace_id = q.workspace_id and v.definition_id = q.definition_id
         and v.version = q.definition_version
      """;

  private static final String ONE = ITEMS + " where q.id = :id";

  private static final String STANDING =
      """
      select q.id, q.state in ('FAILED', 'CANCELLED', 'EXPIRED')
                   or (q.state = 'DISPATCHED' and e.status is distinct from 'RUNNING') as ended
        from workflow_execution_queue q left join workflow_execution e on e.id = q.id
       where q.id = any(:ids)
      """;

  private static final String POSITION =
      """
      select count(*) from (
        select from workflow_execution_queue q
         where q.workspace_id = :workspace and q.state = 'PENDING' and q.gate = 'ready'
           and (q.priority, q.seq) < (:priority::smallint, :seq)
         limit :most) ahead
      """;

  private static final String WORKSPACE =
      "select " + FlowState.COLUMNS + " from " + FlowState.TABLES + " where w.id = :workspace";

  private static final String DEFINITIONS =
      """
      select d.id, d.concurrency_limit, d.paused_until, d.pause_reason,
             d.paused_at is not null and (d.paused_until is null or d.paused_until > now()) as paused,
             case when d.concurrency_limit is not null then
               (select count(*) from workflow_execution e
                 where e.workspace_id = d.workspace_id and e.definition_id = d.id and e.status = 'RUNNING') end as held
        from workflow_definition d
       where d.workspace_id = :workspace and d.id = any(:ids)
         and (d.concurrency_limit is not null or d.paused_at is not null)
      """;

  private static final String OPEN_BY_KEY =
      """
      select k.key, count(*)
        from workflow_execution e cross join lateral unnest(e.limit_keys) k (key)
       where e.workspace_id = :workspace and e.status = 'RUNNING' and e.limit_keys is not null
         and k.key = any(:keys)
       group by k.key
      """;

  /** What Temporal has forgotten says nothing about how long it ran. */
  private static final String RECENT =
      """
      select count(*) as number, avg(extract(epoch from closed_at - started_at))::float8 as mean
        from (select started_at, closed_at from workflow_execution
               where workspace_id = :workspace and status <> 'RUNNING' and status <> 'NOT_FOUND'
               order by closed_at desc limit :most) recent
      """;

  private static final String IS_WORKSPACE =
      "select exists (select from workspace where id = :workspace)";

  private final JdbcClient jdbc;

  StatusRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<ItemRow> find(UUID id) {
    return jdbc.sql(ONE).param("id", id).query(ItemRow::read).optional();
  }

  /** Newest first. */
  List<ItemRow> list(ListFilter filter, int most) {
    String page = NewestFirst.sql(filter, most);
    var statement =
        jdbc.sql(ITEMS + " join (" + page + ") page on page.id = q.id order by q.seq desc")
            .param("workspace", filter.workspaceId());
    if (filter.definitionId().isPresent()) {
      statement = statement.param("definition", filter.definitionId().get());
    }
    if (filter.before().isPresent()) {
      statement = statement.param("before", filter.before().get());
    }
    return statement.query(ItemRow::read).list();
  }

  /** For each id that is a row: has it ended? One query, however many ask. */
  Map<UUID, Boolean> standing(Collection<UUID> ids) {
    var standing = new HashMap<UUID, Boolean>();
    jdbc.sql(STANDING)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            rs -> {
              standing.put(rs.getObject(1, UUID.class), rs.getBoolean(2));
            });
    return standing;
  }

  /** Empty when it is too far back to be counted. */
  Optional<Long> position(ItemRow item) {
    long ahead =
        jdbc.sql(POSITION)
            .param("workspace", item.workspaceId())
            .param("priority", item.priority())
            .param("seq", item.seq())
            .param("most", FARTHEST_POSITION)
            .query(Long.class)
            .single();
    return ahead == FARTHEST_POSITION ? Optional.empty() : Optional.of(ahead + 1);
  }

  /** Empty when the workspace was deleted with items waiting. */
  Optional<WorkspaceState> workspaceState(
      String workspace, Collection<String> definitions, Collection<String> keys) {
    // Not inside the other query: holding one connection while asking for a second starves the
    // pool.
    var held = definitions(workspace, definitions);
    Map<String, Long> open = keys.isEmpty() ? Map.of() : openByKey(workspace, keys);
    return jdbc.sql(WORKSPACE)
        .param("workspace", workspace)
        .query((rs, n) -> new WorkspaceState(FlowState.read(rs), held, open))
        .optional();
  }

  /** How long its last executions took; empty when there were none. */
  Optional<Estimate.Recent> recent(String workspace, int most) {
    return jdbc.sql(RECENT)
        .param("workspace", workspace)
        .param("most", most)
        .query((rs, n) -> new Estimate.Recent(rs.getInt("number"), rs.getDouble("mean")))
        .optional()
        .filter(recent -> recent.number() > 0);
  }

  boolean isWorkspace(String workspace) {
    return jdbc.sql(IS_WORKSPACE).param("workspace", workspace).query(Boolean.class).single();
  }

  private Map<String, WorkspaceState.OfDefinition> definitions(
      String workspace, Collection<String> ids) {
    var definitions = new HashMap<String, WorkspaceState.OfDefinition>();
    jdbc.sql(DEFINITIONS)
        .param("workspace", workspace)
        .param("ids", ids.toArray(String[]::new))
        .query(
            rs -> {
              definitions.put(rs.getString("id"), ofDefinition(rs));
            });
    return definitions;
  }

  private Map<String, Long> openByKey(String workspace, Collection<String> keys) {
    var open = new HashMap<String, Long>();
    jdbc.sql(OPEN_BY_KEY)
        .param("workspace", workspace)
        .param("keys", keys.toArray(String[]::new))
        .query(
            rs -> {
              open.put(rs.getString(1), rs.getLong(2));
            });
    return open;
  }

  private static WorkspaceState.OfDefinition ofDefinition(ResultSet rs) throws SQLException {
    Integer limit = rs.getObject("concurrency_limit", Integer.class);
    return new WorkspaceState.OfDefinition(
        limit == null ? null : new WorkspaceState.Slots(limit, rs.getLong("held")),
        rs.getBoolean("paused")
            ? new Pause(instant(rs, "paused_until"), rs.getString("pause_reason"))
            : null);
  }

  private static @Nullable Instant instant(ResultSet rs, String column) throws SQLException {
    OffsetDateTime time = rs.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
