package dev.sluice.worker.graph;

import dev.sluice.contracts.graph.Graph;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A graph made ready to run: worked out once, because every step of every replay asks for it.
 *
 * @param nodes in dependency order
 * @param predecessors ids of the nodes each one waits for
 */
record Plan(List<Graph.Node> nodes, Map<String, List<String>> predecessors) {
  static final Plan EMPTY = new Plan(List.of(), Map.of());

  /**
   * Sorts the nodes.
   *
   * @throws IllegalStateException when the graph has a cycle
   */
  static Plan of(Graph graph) {
    var byId = graph.byId();
    return new Plan(
        graph.nodeIds().stream().map(id -> Objects.requireNonNull(byId.get(id))).toList(),
        graph.edges().stream()
            .collect(
                Collectors.groupingBy(
                    Graph.Edge::to,
                    Collectors.mapping(Graph.Edge::from, Collectors.toUnmodifiableList()))));
  }

  List<String> predecessorsOf(Graph.Node node) {
    return predecessors.getOrDefault(node.id(), List.of());
  }

  int size() {
    return nodes.size();
  }
}
