package dev.sluice.dispatcher.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** How versions of definitions are to be started. */
public final class DefinitionLedger {
  private static final String VERSIONS =
      """
      select v.workspace_id, v.definition_id, v.version, v.workflow_type, v.task_queue, v.graph::text as graph
        from unnest(?::text[], ?::text[], ?::int[]) as k(workspace_id, definition_id, version)
        join workflow_definition_version v
          on v.workspace_id = k.workspace_id and v.definition_id = k.definition_id and v.version = k.version
      """;

  private final JdbcTemplate jdbc;

  public DefinitionLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  public record Key(String workspaceId, String definitionId, int version) {}

  /** Either a type and a queue of the user's, or a graph. */
  public record Version(
      @Nullable String workflowType, @Nullable String taskQueue, @Nullable String graph) {}

  /** Those of them that there are. */
  public Map<Key, Version> find(List<Key> keys) {
    var found = new HashMap<Key, Version>();
    jdbc.query(
        VERSIONS,
        row -> {
          found.put(
              new Key(
                  row.getString("workspace_id"),
                  row.getString("definition_id"),
                  row.getInt("version")),
              new Version(
                  row.getString("workflow_type"),
                  row.getString("task_queue"),
                  row.getString("graph")));
        },
        Columns.of(keys, Key::workspaceId),
        Columns.of(keys, Key::definitionId),
        Columns.of(keys, Key::version));
    return found;
  }
}
