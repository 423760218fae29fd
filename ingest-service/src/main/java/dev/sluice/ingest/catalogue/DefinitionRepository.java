package dev.sluice.ingest.catalogue;

import dev.sluice.ingest.flow.Pause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.util.RawValue;

/** Definitions and their versions. */
@Repository
class DefinitionRepository {
  /** Writes nothing when it is there already, or when there is no such workspace. */
  private static final String CREATE =
      """
      insert into workflow_definition (workspace_id, id, current_version, max_attempts, concurrency_limit,
                                       collision, first_backoff_ms, longest_backoff_ms)
      select w.id, :id, 1, :attempts, :limit, :collision, :first, :longest from workspace w where w.id = :workspace
      on conflict (workspace_id, id) do nothing
      """;

  /** Other PUTs of the same definition wait here. */
  private static final String LOCK =
      """
      select current_version, max_attempts, concurrency_limit, collision, first_backoff_ms, longest_backoff_ms
        from workflow_definition where workspace_id = :workspace and id = :id for update
      """;

  private static final String IS_SAME =
      """
      select v.workflow_type is not distinct from :type and v.task_queue is not distinct from :queue
             and v.graph is not distinct from :graph::jsonb
        from workflow_definition_version v
       where v.workspace_id = :workspace and v.definition_id = :id and v.version = :version
      """;

  private static final String ADD_VERSION =
      """
      insert into workflow_definition_version (workspace_id, definition_id, version, workflow_type, task_queue, graph)
      values (:workspace, :id, :version, :type, :queue, :graph::jsonb)
      """;

  private static final String UPDATE =
      """
      update workflow_definition
         set current_version = :version, max_attempts = :attempts, concurrency_limit = :limit,
             collision = :collision, first_backoff_ms = :first, longest_backoff_ms = :longest, updated_at = now()
       where workspace_id = :workspace and id = :id
      """;

  private static final String DEFINITIONS =
      """
      select d.workspace_id, d.id, d.current_version, d.max_attempts, d.concurrency_limit,
             d.collision, d.first_backoff_ms, d.longest_backoff_ms, d.paused_until, d.pause_reason,
             d.paused_at is not null and (d.paused_until is null or d.paused_until > now()) as paused,
             v.workflow_type, v.task_queue, v.graph
        from workflow_definition d
        join workflow_definition_version v
          on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
       where d.workspace_id = :workspace
      """;

  private static final String ONE = DEFINITIONS + " and d.id = :id";
  private static final String PAGE = DEFINITIONS + " and d.id > :after order by d.id limit :most";

  /** The time is compared here because the database's clock is the one that will end the pause. */
  private static final String PAUSE =
      """
      update workflow_definition
         set paused_at = coalesce(paused_at, now()), paused_until = :until, pause_reason = :reason, updated_at = now()
       where workspace_id = :workspace and id = :id and (:until::timestamptz is null or :until::timestamptz > now())
      """;

  private static final String RESUME =
      """
      update workflow_definition
         set paused_at = null, paused_until = null, pause_reason = null, updated_at = now()
       where workspace_id = :workspace and id = :id
      """;

  private static final String KNOWN =
      """
      select d.id is not null
        from workspace w left join workflow_definition d on d.workspace_id = w.id and d.id = :id
       where w.id = :workspace
      """;

  private final JdbcClient jdbc;

  DefinitionRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  boolean create(String workspace, String id, DefinitionDraft draft) {
    return withSettings(jdbc.sql(CREATE), workspace, id, draft.settings()).update() == 1;
  }

  /** What is there, as far as a PUT changes it without a new version. */
  record Current(int version, DefinitionSettings settings) {}

  Optional<Current> locked(String workspace, String id) {
    return jdbc.sql(LOCK)
        .param("workspace", workspace)
        .param("id", id)
        .query((rs, n) -> new Current(rs.getInt("current_version"), settings(rs)))
        .optional();
  }

  boolean isSame(String workspace, String id, int version, DefinitionDraft draft) {
    return withContent(jdbc.sql(IS_SAME), workspace, id, version, draft)
        .query(Boolean.class)
        .single();
  }

  void addVersion(String workspace, String id, int version, DefinitionDraft draft) {
    withContent(jdbc.sql(ADD_VERSION), workspace, id, version, draft).update();
  }

  void update(String workspace, String id, int version, DefinitionDraft draft) {
    withSettings(jdbc.sql(UPDATE), workspace, id, draft.settings())
        .param("version", version)
        .update();
  }

  boolean pause(String workspace, String id, Pause pause) {
    return jdbc.sql(PAUSE)
            .param("workspace", workspace)
            .param("id", id)
            .param("until", WorkspaceRepository.time(pause.until()), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("reason", pause.reason(), Types.VARCHAR)
            .update()
        == 1;
  }

  boolean resume(String workspace, String id) {
    return jdbc.sql(RESUME).param("workspace", workspace).param("id", id).update() == 1;
  }

  Optional<Definition> definition(String workspace, String id) {
    return jdbc.sql(ONE)
        .param("workspace", workspace)
        .param("id", id)
        .query((rs, n) -> definition(rs))
        .optional();
  }

  List<Definition> definitions(String workspace, String after, int most) {
    return jdbc.sql(PAGE)
        .param("workspace", workspace)
        .param("after", after)
        .param("most", most)
        .query((rs, n) -> definition(rs))
        .list();
  }

  /** Empty when there is no such workspace, false when it has no such definition. */
  Optional<Boolean> isKnown(String workspace, String id) {
    return jdbc.sql(KNOWN)
        .param("workspace", workspace)
        .param("id", id)
        .query(Boolean.class)
        .optional();
  }

  private static JdbcClient.StatementSpec withContent(
      JdbcClient.StatementSpec sql,
      String workspace,
      String id,
      int version,
      DefinitionDraft draft) {
    return sql.param("workspace", workspace)
        .param("id", id)
        .param("version", version)
        .param("type", draft.workflowType(), Types.VARCHAR)
        .param("queue", draft.taskQueue(), Types.VARCHAR)
        .param("graph", draft.graph(), Types.VARCHAR);
  }

  private static JdbcClient.StatementSpec withSettings(
      JdbcClient.StatementSpec sql, String workspace, String id, DefinitionSettings settings) {
    Backoff backoff = settings.backoff();
    return sql.param("workspace", workspace)
        .param("id", id)
        .param("attempts", settings.maxAttempts())
        .param("limit", settings.limit(), Types.INTEGER)
        .param("collision", settings.collision().text())
        .param("first", backoff == null ? null : backoff.first().toMillis(), Types.BIGINT)
        .param("longest", backoff == null ? null : backoff.longest().toMillis(), Types.BIGINT);
  }

  private static Definition definition(ResultSet rs) throws SQLException {
    String graph = rs.getString("graph");
    boolean paused = rs.getBoolean("paused");
    DefinitionSettings settings = settings(rs);
    return new Definition(
        rs.getString("id"),
        rs.getString("workspace_id"),
        rs.getInt("current_version"),
        rs.getString("workflow_type"),
        rs.getString("task_queue"),
        graph == null ? null : new RawValue(graph),
        settings.maxAttempts(),
        settings.limit(),
        settings.collision(),
        settings.backoff(),
        paused,
        paused ? WorkspaceRepository.instant(rs, "paused_until") : null,
        paused ? rs.getString("pause_reason") : null);
  }

  private static DefinitionSettings settings(ResultSet rs) throws SQLException {
    Long first = rs.getObject("first_backoff_ms", Long.class);
    Long longest = rs.getObject("longest_backoff_ms", Long.class);
    return new DefinitionSettings(
        rs.getInt("max_attempts"),
        rs.getObject("concurrency_limit", Integer.class),
        Collision.of(rs.getString("collision")).orElseThrow(),
        first == null || longest == null
            ? null
            : new Backoff(Duration.ofMillis(first), Duration.ofMillis(longest)));
  }
}
