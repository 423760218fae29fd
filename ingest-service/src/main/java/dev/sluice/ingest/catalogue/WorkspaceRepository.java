package dev.sluice.ingest.catalogue;

import dev.sluice.ingest.flow.FlowState;
import dev.sluice.ingest.flow.Pause;
import dev.sluice.ingest.flow.Waiting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Workspaces. */
@Repository
class WorkspaceRepository {
  /** Writes nothing when there is no such plan. */
  private static final String PUT =
      """
      insert into workspace (id, plan_id, concurrency_limit, starts_per_second, start_burst, backlog_limit)
      select :id, p.id, :limit, :rate, :burst, :backlog from plan p where p.id = :plan
      on conflict (id) do update
        set plan_id = excluded.plan_id, concurrency_limit = excluded.concurrency_limit,
            starts_per_second = excluded.starts_per_second, start_burst = excluded.start_burst,
            backlog_limit = excluded.backlog_limit, updated_at = now()
      """;

  /** Other changes of the same workspace wait here. */
  private static final String LOCK =
      """
      select plan_id, concurrency_limit, starts_per_second, start_burst, backlog_limit
        from workspace where id = :id for update
      """;

  // The oldest that is ready is looked up by priority: within one, the index has it first.
  private static final String WORKSPACES =
      "select w.id, w.plan_id, w.start_burst, w.backlog_limit,\n"
          + FlowState.COLUMNS
          + ", "
          + Waiting.COLUMNS
          + """
          , least(
              (select min(oldest.accepted_at) from generate_series(0, 9) level cross join lateral (
                 select q.accepted_at from workflow_execution_queue q
                  where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'ready'
                    and q.priority = level::smallint
                  order by q.seq limit 1) oldest),
              in_partitions.oldest, in_definitions.oldest, in_limits.oldest) as oldest_waiting
            from
          """
          + FlowState.TABLES
          + Waiting.TABLES;

  private static final String EXISTS = "select exists (select from workspace where id = :id)";

  private static final String ONE = WORKSPACES + " where w.id = :id";
  private static final String PAGE = WORKSPACES + " where w.id > :after order by w.id limit :most";

  /** The time is compared here because the database's clock is the one that will end the pause. */
  private static final String PAUSE =
      """
      update workspace
         set paused_at = coalesce(paused_at, now()), paused_until = :until, pause_reason = :reason, updated_at = now()
       where id = :id and (:until::timestamptz is null or :until::timestamptz > now())
      """;

  private static final String RESUME =
      """
      update workspace set paused_at = null, paused_until = null, pause_reason = null, updated_at = now()
       where id = :id
      """;

  private final JdbcClient jdbc;

  WorkspaceRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  boolean put(String id, WorkspaceSettings settings) {
    return jdbc.sql(PUT)
            .param("id", id)
            .param("plan", settings.plan())
            .param("limit", settings.limit(), Types.INTEGER)
            .param("rate", settings.startsPerSecond(), Types.DOUBLE)
            .param("burst", settings.burst(), Types.INTEGER)
            .param("backlog", settings.backlogLimit(), Types.INTEGER)
            .update()
        == 1;
  }

  Optional<WorkspaceSettings> locked(String id) {
    return jdbc.sql(LOCK)
        .param("id", id)
        .query(
            (rs, n) ->
                new WorkspaceSettings(
                    rs.getString("plan_id"),
                    rs.getObject("concurrency_limit", Integer.class),
                    rs.getObject("starts_per_second", Double.class),
                    rs.getObject("start_burst", Integer.class),
                    rs.getObject("backlog_limit", Integer.class)))
        .optional();
  }

  boolean exists(String id) {
    return jdbc.sql(EXISTS).param("id", id).query(Boolean.class).single();
  }

  Optional<Workspace> workspace(String id) {
    return jdbc.sql(ONE)
        .param("id", id)
        .query((rs, n) -> WorkspaceRepository.workspace(rs))
        .optional();
  }

  List<Workspace> workspaces(String after, int most) {
    return jdbc.sql(PAGE)
        .param("after", after)
        .param("most", most)
        .query((rs, n) -> WorkspaceRepository.workspace(rs))
        .list();
  }

  boolean pause(String id, Pause pause) {
    return jdbc.sql(PAUSE)
            .param("id", id)
            .param("until", time(pause.until()), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("reason", pause.reason(), Types.VARCHAR)
            .update()
        == 1;
  }

  boolean resume(String id) {
    return jdbc.sql(RESUME).param("id", id).update() == 1;
  }

  static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }

  static @Nullable Instant instant(ResultSet rs, String column) throws SQLException {
    OffsetDateTime time = rs.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static Workspace workspace(ResultSet rs) throws SQLException {
    var flow = FlowState.read(rs);
    var waiting = Waiting.read(rs);
    Pause pause = flow.pause();
    return new Workspace(
        rs.getString("id"),
        rs.getString("plan_id"),
        flow.slots(),
        flow.held(),
        waiting.total(),
        pause != null,
        pause == null ? null : pause.until(),
        pause == null ? null : pause.reason(),
        instant(rs, "oldest_waiting"),
        rs.getObject("starts_per_second", Double.class),
        rs.getObject("start_burst", Integer.class),
        rs.getObject("backlog_limit", Integer.class),
        waiting.byKind(flow));
  }
}
