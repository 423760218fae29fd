package dev.sluice.contracts.graph;

import dev.sluice.contracts.FieldReader;
import java.time.Duration;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks the config of the built-in node types; that of other types is their handler's matter. */
final class BuiltInConfigs {
  private static final int LONGEST_MESSAGE = 1000;

  private BuiltInConfigs() {}

  static void check(String type, FieldReader config) {
    switch (type) {
      case BuiltInNodeTypes.SLEEP -> sleep(config);
      case BuiltInNodeTypes.SET -> set(config);
      case BuiltInNodeTypes.FAIL -> fail(config);
      default -> {}
    }
  }

  private static void sleep(FieldReader config) {
    config.refuseOthersThan(Set.of("duration"));
    require(config, "duration");
    Duration duration = config.duration("duration");
    if (duration != null && duration.compareTo(BuiltInNodeTypes.LONGEST_SLEEP) > 0) {
      config.problem(
          "duration", "must be at most P" + BuiltInNodeTypes.LONGEST_SLEEP.toDays() + "D");
    }
  }

  private static void set(FieldReader config) {
    config.refuseOthersThan(Set.of("values"));
    require(config, "values");
    JsonNode values = config.json("values");
    if (values != null && !values.isObject()) {
      config.problem("values", "must be an object");
    }
  }

  private static void fail(FieldReader config) {
    config.refuseOthersThan(Set.of("message", "times"));
    require(config, "message");
    config.text("message", LONGEST_MESSAGE);
    config.integer("times", 1, 100);
  }

  private static void require(FieldReader config, String field) {
    if (config.json(field) == null) {
      config.problem(field, "is required");
    }
  }
}
