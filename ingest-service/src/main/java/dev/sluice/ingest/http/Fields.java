package dev.sluice.ingest.http;

import dev.sluice.contracts.FieldReader;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A {@link FieldReader} that ends in a problem document. */
final class Fields {
  static final int LARGEST_LIMIT = 1_000_000;

  private static final int LONGEST_REASON = 500;
  private static final int LONGEST_NAME = 30;

  private final FieldReader reader;

  Fields(ObjectNode body, Set<String> known) {
    reader = new FieldReader(body);
    reader.refuseOthersThan(known);
  }

  FieldReader reader() {
    return reader;
  }

  int requiredInteger(String field, int least, int most) {
    Integer value = reader.integer(field, least, most);
    require(field);
    return value == null ? least : value;
  }

  /** "" when it is missing or wrong. */
  String requiredText(String field, int longest) {
    String value = reader.text(field, longest);
    require(field);
    return value == null ? "" : value;
  }

  /** A number that need not be whole. */
  @Nullable Double number(String field, double least, double most) {
    JsonNode node = reader.json(field);
    if (node == null) {
      return null;
    }
    if (!node.isNumber() || !(node.asDouble() >= least && node.asDouble() <= most)) {
      reader.problem(field, "must be a number from %s to %s".formatted(least, most));
      return null;
    }
    return node.asDouble();
  }

  /** False when it is absent. */
  boolean flag(String field) {
    JsonNode node = reader.json(field);
    if (node != null && !node.isBoolean()) {
      reader.problem(field, "must be true or false");
    }
    return node != null && node.isBoolean() && node.asBoolean();
  }

  /** Empty when it is absent, or not one of those. */
  <T> Optional<T> oneOf(String field, Function<String, Optional<T>> parse, String known) {
    String text = reader.text(field, LONGEST_NAME);
    Optional<T> value = Optional.ofNullable(text).flatMap(parse);
    if (text != null && value.isEmpty()) {
      reader.problem(field, "must be one of " + known);
    }
    return value;
  }

  @Nullable String reason() {
    return reader.text("reason", LONGEST_REASON);
  }

  void refuseIfWrong() {
    if (!reader.problems().isEmpty()) {
      throw ProblemException.badFields(reader.problems());
    }
  }

  private void require(String field) {
    if (reader.json(field) == null) {
      reader.problem(field, "is required");
    }
  }
}
