package dev.sluice.contracts;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads fields of an untrusted JSON object and collects what is wrong with them, so that a caller
 * hears of every mistake at once. A field that is wrong reads as absent.
 */
public final class FieldReader {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** They travel in a header or an answer, and a request can have as many as it has bytes. */
  private static final int MOST_PROBLEMS = 20;

  private final ObjectNode object;
  private final List<FieldProblem> problems = new ArrayList<>();

  public FieldReader(ObjectNode object) {
    this.object = object;
  }

  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  public List<FieldProblem> problems() {
    return List.copyOf(problems);
  }

  public void problem(String field, String message) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new FieldProblem(field, message));
    }
  }

  public void refuseOthersThan(Set<String> known) {
    object
        .propertyNames()
        .forEach(
            name -> {
              if (!known.contains(name)) {
                problem(
                    clip(name),
                    "unknown field; known are "
                        + String.join(", ", known.stream().sorted().toList()));
              }
            });
  }

  public @Nullable JsonNode json(String field) {
    JsonNode node = object.get(field);
    return node == null || node.isNull() ? null : node;
  }

  /** An id of the user's own; "" when it is missing or wrong, which is then a problem already. */
  public String requiredId(String field) {
    if (json(field) == null) {
      problem(field, "is required");
      return "";
    }
    String id = id(field);
    return id == null ? "" : id;
  }

  public @Nullable String id(String field) {
    String text = text(field, 64);
    if (text != null && !isId(text)) {
      problem(field, "must be 1 to 64 letters, digits or _ . : -");
      return null;
    }
    return text;
  }

  public @Nullable String text(String field, int longest) {
    JsonNode node = json(field);
    if (node == null) {
      return null;
    }
    if (!node.isString()) {
      problem(field, "must be a string");
      return null;
    }
    String text = node.asString();
    int length = text.codePointCount(0, text.length());
    if (length == 0 || length > longest) {
      problem(field, "must have 1 to " + longest + " characters, has " + length);
      return null;
    }
    if (!isPlain(text)) {
      problem(field, "must not contain control characters or broken Unicode");
      return null;
    }
    return text;
  }

  public @Nullable UUID uuid(String field) {
    String text = text(field, 64);
    if (text == null) {
      return null;
    }
    try {
      UUID uuid = UUID.fromString(text);
      // fromString also takes 1-1-1-1-1.
      if (uuid.toString().equalsIgnoreCase(text)) {
        return uuid;
      }
    } catch (IllegalArgumentException notAUuid) {
      // falls through to the one message for both
    }
    problem(field, "must be a UUID");
    return null;
  }

  public @Nullable Integer integer(String field, int least, int most) {
    JsonNode node = json(field);
    if (node == null) {
      return null;
    }
    if (!node.isIntegralNumber()
        || !node.canConvertToInt()
        || node.asInt() < least
        || node.asInt() > most) {
      problem(field, "must be a whole number from " + least + " to " + most);
      return null;
    }
    return node.asInt();
  }

  public @Nullable Instant instant(String field) {
    String text = text(field, 64);
    if (text == null) {
      return null;
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (!instant.isBefore(EARLIEST) && !instant.isAfter(LATEST)) {
        return instant;
      }
    } catch (DateTimeException notATime) {
      // falls through to the one message for both
    }
    problem(field, "must be a time like 2027-01-31T09:00:00Z");
    return null;
  }

  public @Nullable Duration duration(String field) {
    String text = text(field, 64);
    if (text == null) {
      return null;
    }
    try {
      Duration duration = Duration.parse(text);
      if (duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (DateTimeException notADuration) {
      // falls through to the one message for both
    }
    problem(field, "must be a duration like PT10M, at least a millisecond and at most P3650D");
    return null;
  }

  /** PostgreSQL takes no NUL, and half a surrogate pair is no character. */
  private static boolean isPlain(String text) {
    return StorableJson.isWhole(text) && text.chars().noneMatch(c -> c < 0x20 || c == 0x7f);
  }

  private static String clip(String name) {
    return name.codePointCount(0, name.length()) <= 64
        ? name
        : name.substring(0, name.offsetByCodePoints(0, 64)) + "…";
  }
}
