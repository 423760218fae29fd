package dev.sluice.worker.graph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.GraphRun;
import dev.sluice.worker.NodeContext;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * The argument of a node's activity. Workers of two versions may share a task queue, so unknown
 * fields are passed over.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeCall(
    UUID executionId,
    String workspaceId,
    String definitionId,
    int version,
    String nodeId,
    JsonNode config,
    JsonNode input,
    Map<String, JsonNode> outputs) {
  static NodeCall of(GraphRun run, Graph.Node node, Map<String, JsonNode> outputs) {
    return new NodeCall(
        run.executionId(),
        run.workspaceId(),
        run.definitionId(),
        run.version(),
        node.id(),
        node.config(),
        run.input(),
        outputs);
  }

  /** What the handler sees of it. */
  public NodeContext context(int attempt, BooleanSupplier cancelled) {
    return new NodeContext(
        executionId,
        workspaceId,
        definitionId,
        version,
        nodeId,
        config,
        input,
        outputs,
        attempt,
        cancelled);
  }
}
