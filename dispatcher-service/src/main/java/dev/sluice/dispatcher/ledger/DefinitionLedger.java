package dev.sluice.dispatcher.ledger;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** How a definition's version is to be started. */
public final class DefinitionLedger {
  private static final String VERSION =
      """
      select workflow_type, task_queue, graph::text as graph from workflow_definition_version
       where workspace_id = ? and definition_id = ? and version = ?
      """;

  private final JdbcTemplate jdbc;

  public DefinitionLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  public record Key(String workspaceId, String definitionId, int version) {}

  /** Either a type and a queue of the user's, or a graph. */
  public record Version(
      @Nullable String workflowType, @Nullable String taskQueue, @Nullable String graph) {}

  public Optional<Version> find(Key key) {
    return jdbc
        .query(
            VERSION,
            (row, n) ->
                new Version(
                    row.getString("workflow_type"),
                    row.getString("task_queue"),
                    row.getString("graph")),
            key.workspaceId(),
            key.definitionId(),
            key.version())
        .stream()
        .findFirst();
  }
}
