package dev.sluice.contracts.graph;

import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.FieldReader;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.StorableJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Untrusted JSON becomes a graph that can run, or a list of everything that is wrong with it. */
public final class GraphParser {
  public static final int MOST_NODES = 500;

  private static final String ROOT = "graph";
  private static final int MOST_PROBLEMS = 50;
  private static final Set<String> GRAPH_FIELDS = Set.of("nodes", "edges");
  private static final Set<String> NODE_FIELDS = Set.of("id", "type", "config", "retry", "timeout");
  private static final Set<String> RETRY_FIELDS = Set.of("maxAttempts", "backoff");
  private static final Set<String> EDGE_FIELDS = Set.of("from", "to");

  private final Set<String> nodeTypes;
  private final List<FieldProblem> problems = new ArrayList<>();

  /** Place of each node that has an id, to tell where it was first used. */
  private final Map<String, Integer> places = new HashMap<>();

  private GraphParser(Set<String> nodeTypes) {
    this.nodeTypes = nodeTypes;
  }

  /**
   * Reads the graph, or says all that is wrong with it, with the path of each field.
   *
   * @param nodeTypes the types that workers have; the built-in ones count as known in any case
   */
  public static Parsed<Graph> parse(@Nullable JsonNode graph, Set<String> nodeTypes) {
    var known = new TreeSet<>(BuiltInNodeTypes.NAMES);
    known.addAll(nodeTypes);
    var parser = new GraphParser(known);
    Graph parsed = parser.graph(graph);
    var problems = parser.problems.stream().limit(MOST_PROBLEMS).toList();
    return problems.isEmpty()
        ? new Parsed.Valid<>(parsed)
        : new Parsed.Invalid<>(DeadLetterReason.INVALID_FIELD, problems);
  }

  private Graph graph(@Nullable JsonNode json) {
    if (!(json instanceof ObjectNode object)) {
      problem(ROOT, "must be an object like {\"nodes\":[…],\"edges\":[…]}");
      return new Graph(List.of(), List.of());
    }
    StorableJson.problem(json).ifPresent(message -> problem(ROOT, message));
    var fields = new FieldReader(object);
    fields.refuseOthersThan(GRAPH_FIELDS);
    adopt(ROOT, fields);
    List<Graph.Node> nodes = nodes(object.get("nodes"));
    List<Graph.Edge> edges = edges(object.get("edges"));
    if (problems.isEmpty()
        && TopologicalOrder.of(nodes.stream().map(Graph.Node::id).toList(), edges)
            instanceof TopologicalOrder.Cycle(var ids)) {
      problem(ROOT + ".edges", "must not form a cycle: " + TopologicalOrder.Cycle.describe(ids));
    }
    return new Graph(nodes, edges);
  }

  private List<Graph.Node> nodes(@Nullable JsonNode json) {
    String path = ROOT + ".nodes";
    var nodes = new ArrayList<Graph.Node>();
    if (!(json instanceof ArrayNode array) || array.isEmpty()) {
      problem(path, "must be an array of at least one node");
    } else if (array.size() > MOST_NODES) {
      problem(path, "must have at most " + MOST_NODES + " nodes, has " + array.size());
    } else {
      for (int i = 0; i < array.size(); i++) {
        nodes.add(node(array.get(i), path + "[" + i + "]", i));
      }
    }
    return nodes;
  }

  private Graph.Node node(JsonNode json, String path, int place) {
    if (!(json instanceof ObjectNode object)) {
      problem(path, "must be an object like {\"id\":\"a\",\"type\":\"sleep\"}");
      return new Graph.Node("", "", JsonNodeFactory.instance.objectNode());
    }
    var fields = new FieldReader(object);
    fields.refuseOthersThan(NODE_FIELDS);
    String id = fields.requiredId("id");
    Integer first = id.isEmpty() ? null : places.putIfAbsent(id, place);
    if (first != null) {
      fields.problem("id", "is already the id of nodes[" + first + "]");
    }
    String type = fields.requiredId("type");
    if (!type.isEmpty() && !nodeTypes.contains(type)) {
      fields.problem("type", "unknown node type; known are " + String.join(", ", nodeTypes));
    }
    var timeout = fields.duration("timeout");
    adopt(path, fields);
    return new Graph.Node(
        id, type, config(type, object, path), retry(fields.json("retry"), path), timeout);
  }

  private ObjectNode config(String type, ObjectNode node, String path) {
    JsonNode json = node.get("config");
    if (json != null && !json.isNull() && !(json instanceof ObjectNode)) {
      problem(path + ".config", "must be an object");
      return JsonNodeFactory.instance.objectNode();
    }
    var config = json instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    var fields = new FieldReader(config);
    BuiltInConfigs.check(type, fields);
    adopt(path + ".config", fields);
    return config;
  }

  private Graph.@Nullable Retry retry(@Nullable JsonNode json, String path) {
    if (json == null) {
      return null;
    }
    if (!(json instanceof ObjectNode object)) {
      problem(path + ".retry", "must be an object like {\"maxAttempts\":3}");
      return null;
    }
    var fields = new FieldReader(object);
    fields.refuseOthersThan(RETRY_FIELDS);
    Integer maxAttempts = fields.integer("maxAttempts", 1, 100);
    if (fields.json("maxAttempts") == null) {
      fields.problem("maxAttempts", "is required");
    }
    var backoff = fields.duration("backoff");
    adopt(path + ".retry", fields);
    return maxAttempts == null ? null : new Graph.Retry(maxAttempts, backoff);
  }

  private List<Graph.Edge> edges(@Nullable JsonNode json) {
    String path = ROOT + ".edges";
    var edges = new ArrayList<Graph.Edge>();
    if (json == null || json.isNull()) {
      return edges;
    }
    if (!(json instanceof ArrayNode array)) {
      problem(path, "must be an array");
      return edges;
    }
    var seen = new HashSet<Graph.Edge>();
    for (int i = 0; i < array.size(); i++) {
      Graph.Edge edge = edge(array.get(i), path + "[" + i + "]");
      if (edge != null && !seen.add(edge)) {
        problem(
            path + "[" + i + "]",
            "the edge from %s to %s is there already".formatted(edge.from(), edge.to()));
      }
      if (edge != null) {
        edges.add(edge);
      }
    }
    return edges;
  }

  /** Null when it is wrong, which is a problem already. */
  private Graph.@Nullable Edge edge(JsonNode json, String path) {
    if (!(json instanceof ObjectNode object)) {
      problem(path, "must be an object like {\"from\":\"a\",\"to\":\"b\"}");
      return null;
    }
    var fields = new FieldReader(object);
    fields.refuseOthersThan(EDGE_FIELDS);
    String from = end(fields, "from");
    String to = end(fields, "to");
    if (!from.isEmpty() && from.equals(to)) {
      fields.problem("to", "must be another node than from");
    }
    adopt(path, fields);
    return fields.problems().isEmpty() ? new Graph.Edge(from, to) : null;
  }

  private String end(FieldReader fields, String name) {
    String id = fields.requiredId(name);
    if (!id.isEmpty() && !places.containsKey(id)) {
      fields.problem(name, "no node has the id " + id);
    }
    return id;
  }

  private void adopt(String path, FieldReader fields) {
    fields.problems().forEach(p -> problem(path + "." + p.field(), p.message()));
  }

  private void problem(String field, String message) {
    problems.add(new FieldProblem(field, message));
  }
}
