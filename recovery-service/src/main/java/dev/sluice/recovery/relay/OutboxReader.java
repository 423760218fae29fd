package dev.sluice.recovery.relay;

import dev.sluice.contracts.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads what the outbox's trigger wrote into the log. */
final class OutboxReader {
  private static final Pattern KIND = Pattern.compile("[a-z-]{1,40}");

  private OutboxReader() {}

  sealed interface Reading {
    record Readable(OutboxEvent event) implements Reading {}

    /** No event can be made of it; the detail says why and quotes no payload. */
    record Unreadable(String reason, String detail) implements Reading {}
  }

  static Reading read(byte[] content) {
    try {
      return new Reading.Readable(event(Json.MAPPER.readTree(content)));
    } catch (JacksonException e) {
      return new Reading.Unreadable("not-json", "not a JSON document, " + where(e));
    } catch (Incomplete e) {
      return new Reading.Unreadable("incomplete", e.getMessage());
    }
  }

  private static OutboxEvent event(JsonNode row) {
    return new OutboxEvent(
        text(row, "event_id"),
        uuid(row, "execution_id"),
        text(row, "workspace_id"),
        kind(text(row, "kind")),
        time(row, "at"),
        optionalText(row, "traceparent"),
        Json.MAPPER.writeValueAsBytes(object(row, "data")));
  }

  private static String text(JsonNode row, String field) {
    String value = optionalText(row, field);
    if (value == null || value.isBlank()) {
      throw new Incomplete(field + " is missing");
    }
    return value;
  }

  private static @Nullable String optionalText(JsonNode row, String field) {
    JsonNode value = row.path(field);
    return value.isString() ? value.stringValue() : null;
  }

  private static UUID uuid(JsonNode row, String field) {
    try {
      return UUID.fromString(text(row, field));
    } catch (IllegalArgumentException e) {
      throw new Incomplete(field + " is not a UUID");
    }
  }

  private static String kind(String kind) {
    if (!KIND.matcher(kind).matches()) {
      throw new Incomplete("kind is not a word of small letters");
    }
    return kind;
  }

  private static Instant time(JsonNode row, String field) {
    try {
      return OffsetDateTime.parse(text(row, field)).toInstant();
    } catch (DateTimeException e) {
      throw new Incomplete(field + " is not a time");
    }
  }

  private static JsonNode object(JsonNode row, String field) {
    JsonNode value = row.path(field);
    if (!value.isObject()) {
      throw new Incomplete(field + " is not a JSON object");
    }
    return value;
  }

  private static String where(JacksonException e) {
    var at = e.getLocation();
    return at == null ? "position unknown" : "near byte " + at.getByteOffset();
  }

  private static final class Incomplete extends RuntimeException {
    private static final long serialVersionUID = 1;

    Incomplete(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
