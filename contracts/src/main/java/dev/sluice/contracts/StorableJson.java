package dev.sluice.contracts;

import java.math.BigDecimal;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Well-formed JSON that PostgreSQL's jsonb still refuses. */
public final class StorableJson {
  /** Far below what PostgreSQL's numeric takes, far above what anyone means. */
  private static final int LARGEST_EXPONENT = 1000;

  private StorableJson() {}

  /** What is wrong with the document, names and values included; empty when it can be stored. */
  public static Optional<String> problem(JsonNode json) {
    return switch (json.getNodeType()) {
      case STRING -> ofText(json.asString());
      case NUMBER -> ofNumber(json);
      case ARRAY ->
          json.valueStream().map(StorableJson::problem).flatMap(Optional::stream).findFirst();
      case OBJECT ->
          json.propertyStream()
              .map(field -> ofText(field.getKey()).or(() -> problem(field.getValue())))
              .flatMap(Optional::stream)
              .findFirst();
      default -> Optional.empty();
    };
  }

  private static Optional<String> ofText(String text) {
    if (text.indexOf('\0') >= 0) {
      return Optional.of("must not contain the character U+0000");
    }
    return isWhole(text) ? Optional.empty() : Optional.of("must not contain half a surrogate pair");
  }

  private static Optional<String> ofNumber(JsonNode json) {
    if (!json.isBigDecimal()) {
      return Optional.empty();
    }
    BigDecimal number = json.decimalValue();
    return Math.abs((long) number.scale()) <= LARGEST_EXPONENT
        ? Optional.empty()
        : Optional.of("must not contain numbers beyond 1E±" + LARGEST_EXPONENT);
  }

  /** Whether every name and value can be written as UTF-8. */
  static boolean isWhole(JsonNode json) {
    return switch (json.getNodeType()) {
      case STRING -> isWhole(json.asString());
      case ARRAY -> json.valueStream().allMatch(StorableJson::isWhole);
      case OBJECT ->
          json.propertyStream()
              .allMatch(field -> isWhole(field.getKey()) && isWhole(field.getValue()));
      default -> true;
    };
  }

  /** Half a surrogate pair is no character, and cannot be written as UTF-8. */
  static boolean isWhole(String text) {
    return text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
  }
}
