package dev.sluice.worker.graph;

import dev.sluice.contracts.graph.Graph;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The result of a graph, made of those of its nodes. */
final class Results {
  private Results() {}

  static ObjectNode of(Graph graph, Plan plan, Map<String, JsonNode> outputs) {
    ObjectNode nodes = JsonNodeFactory.instance.objectNode();
    plan.nodes().forEach(node -> nodes.set(node.id(), outputs.get(node.id())));
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String id : graph.sinks()) {
      if (nodes.get(id) instanceof ObjectNode fields) {
        merged.setAll(fields);
      } else {
        // What has no names of its own goes under the node's.
        merged.set(id, nodes.get(id));
      }
    }
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.set("nodes", nodes);
    result.set("output", merged);
    return result;
  }
}
