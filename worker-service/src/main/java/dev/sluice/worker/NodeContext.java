package dev.sluice.worker;

import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * What a node is given.
 *
 * @param config the node's own, from the graph
 * @param input of the execution
 * @param outputs of the nodes this one waits for, by their ids
 * @param attempt 1 for the first try
 * @param cancelled whether the execution was asked to stop; the thread is interrupted, too
 */
public record NodeContext(
    UUID executionId,
    String workspaceId,
    String definitionId,
    int version,
    String nodeId,
    JsonNode config,
    JsonNode input,
    Map<String, JsonNode> outputs,
    int attempt,
    BooleanSupplier cancelled) {
  public boolean isCancelled() {
    return cancelled.getAsBoolean();
  }
}
