package dev.sluice.contracts.graph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The single argument of {@link SluiceGraph#WORKFLOW_TYPE}, as plain JSON. A worker older than the
 * dispatcher passes over what it does not know.
 *
 * @param nodeIds the graph's, in dependency order
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record GraphRun(
    UUID executionId,
    String workspaceId,
    String definitionId,
    int version,
    List<String> nodeIds,
    Graph graph,
    JsonNode input) {
  public GraphRun {
    nodeIds = nodeIds == null ? graph.nodeIds() : List.copyOf(nodeIds);
    input = input == null ? JsonNodeFactory.instance.nullNode() : input;
  }
}
