package dev.sluice.contracts;

import dev.sluice.contracts.ExecutionRequest.KeyLimit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code limits} of a request: {@code [{"key":"user:42","max":3}]}. */
final class LimitsParser {
  static final String FIELD = "limits";
  static final int MOST_LIMITS = 3;
  static final int LONGEST_KEY = 100;
  private static final int LARGEST_MAX = 1_000_000;

  private LimitsParser() {}

  static List<KeyLimit> limits(FieldReader fields) {
    JsonNode node = fields.json(FIELD);
    if (node == null) {
      return List.of();
    }
    if (!(node instanceof ArrayNode array) || array.size() > MOST_LIMITS) {
      fields.problem(FIELD, "must be an array of at most %d {key, max}".formatted(MOST_LIMITS));
      return List.of();
    }
    var limits = new ArrayList<KeyLimit>();
    var keys = new HashSet<String>();
    for (int i = 0; i < array.size(); i++) {
      read(fields, array.get(i), FIELD + "[" + i + "]", limits, keys);
    }
    return List.copyOf(limits);
  }

  private static void read(
      FieldReader fields, JsonNode node, String path, List<KeyLimit> limits, Set<String> keys) {
    if (!(node instanceof ObjectNode object)) {
      fields.problem(path, "must be an object with key and max");
      return;
    }
    var limit = new FieldReader(object);
    limit.refuseOthersThan(Set.of("key", "max"));
    String key = limit.text("key", LONGEST_KEY);
    Integer max = limit.integer("max", 1, LARGEST_MAX);
    if (limit.json("key") == null) {
      limit.problem("key", "is required");
    }
    if (limit.json("max") == null) {
      limit.problem("max", "is required");
    }
    if (key != null && !keys.add(key)) {
      limit.problem("key", "must not be named twice");
    }
    limit.problems().forEach(p -> fields.problem(path + "." + p.field(), p.message()));
    if (key != null && max != null) {
      limits.add(new KeyLimit(key, max));
    }
  }
}
