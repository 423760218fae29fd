package dev.sluice.contracts.graph;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a definition runs: nodes, and which of them wait for which. Untrusted JSON becomes one by
 * {@link GraphParser} only; its own JSON is the shape that was parsed.
 */
public record Graph(List<Node> nodes, List<Edge> edges) {
  public Graph {
    nodes = List.copyOf(nodes);
    edges = edges == null ? List.of() : List.copyOf(edges);
  }

  /**
   * One step.
   *
   * @param config what its type asks for; an empty object when there is none
   * @param retry how often it is tried; {@link Retry#DEFAULT} when absent
   * @param timeout of one try of an activity; the worker's own setting when absent
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Node(
      String id, String type, JsonNode config, @Nullable Retry retry, @Nullable Duration timeout) {
    public Node {
      if (config == null || config.isNull()) {
        config = JsonNodeFactory.instance.objectNode();
      }
    }

    public Node(String id, String type, JsonNode config) {
      this(id, type, config, null, null);
    }

    public Retry retryOrDefault() {
      return retry == null ? Retry.DEFAULT : retry;
    }
  }

  /** {@code to} starts when {@code from} is done, and gets its output. */
  public record Edge(String from, String to) {}

  /**
   * How often a node is tried, the first time included.
   *
   * @param backoff before the second try; doubled for each one after it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Retry(int maxAttempts, @Nullable Duration backoff) {
    public static final Duration DEFAULT_BACKOFF = Duration.ofSeconds(1);

    /** Once: whether a second try is harmless is for the author of the graph to say. */
    public static final Retry DEFAULT = new Retry(1, null);

    public Duration backoffOrDefault() {
      return backoff == null ? DEFAULT_BACKOFF : backoff;
    }
  }

  /**
   * Every id after those it waits for; among the free ones, in the order of {@link #nodes}.
   *
   * @throws IllegalStateException when the edges form a cycle, which no parsed graph has
   */
  public List<String> nodeIds() {
    return switch (TopologicalOrder.of(nodes.stream().map(Node::id).toList(), edges)) {
      case TopologicalOrder.Sorted(var ids) -> ids;
      case TopologicalOrder.Cycle(var ids) ->
          throw new IllegalStateException(
              "the graph has a cycle: " + TopologicalOrder.Cycle.describe(ids));
    };
  }

  /** The nodes by id, in the order of {@link #nodes}. */
  public Map<String, Node> byId() {
    var byId = new LinkedHashMap<String, Node>();
    nodes.forEach(node -> byId.put(node.id(), node));
    return byId;
  }

  /** Ids of the nodes that the given one waits for, in the order of the edges. */
  public List<String> predecessors(String id) {
    return edges.stream().filter(edge -> edge.to().equals(id)).map(Edge::from).toList();
  }

  /** Ids of the nodes that nothing waits for: their outputs are the graph's. */
  public List<String> sinks() {
    var waitedFor = edges.stream().map(Edge::from).toList();
    return nodes.stream().map(Node::id).filter(id -> !waitedFor.contains(id)).toList();
  }
}
