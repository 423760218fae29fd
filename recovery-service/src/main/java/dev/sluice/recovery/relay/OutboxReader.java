package dev.sluice.recovery.relay;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.WorkflowStatus;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads what was written into the log: an event as it is, by the outbox's trigger or the function
 * {@code tell}, or the few words that {@code tell_change} and {@code tell_close} have for what
 * every execution goes through.
 */
final class OutboxReader {
  private static final Pattern KIND = Pattern.compile("[a-z-]{1,40}");

  /** What a change is told in, in this order (V109); of a close there is more (V113). */
  private static final List<String> WORDS =
      List.of(
          "execution_id",
          "revision",
          "workspace_id",
          "definition_id",
          "state",
          "at",
          "attempts",
          "traceparent",
          "run_id",
          "workflow_status",
          "outcome",
          "value");

  /** What a close has in the place of a revision, which it does not change. */
  private static final String CLOSED = "closed";

  private static final DateTimeFormatter TO_THE_MICROSECOND =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

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

  private static OutboxEvent event(JsonNode told) {
    return told.isArray() ? ofChange(told) : ofRow(told);
  }

  private static OutboxEvent ofRow(JsonNode row) {
    return new OutboxEvent(
        text(row, "event_id"),
        uuid(row, "execution_id"),
        text(row, "workspace_id"),
        kind(text(row, "kind")),
        time(row, "at"),
        optionalText(row, "traceparent"),
        Json.MAPPER.writeValueAsBytes(object(row, "data")));
  }

  private static OutboxEvent ofChange(JsonNode words) {
    ObjectNode change = named(words);
    UUID id = uuid(change, "execution_id");
    String workspace = text(change, "workspace_id");
    String state = text(change, "state");
    Instant at = time(change, "at");
    ObjectNode data =
        Json.MAPPER
            .createObjectNode()
            .put("id", id.toString())
            .put("workspaceId", workspace)
            .put("definitionId", text(change, "definition_id"))
            .put("status", state)
            .put("at", TO_THE_MICROSECOND.format(at))
            .put("attempts", number(change, "attempts"));
    boolean isClose = CLOSED.equals(optionalText(change, "revision"));
    if (state.equals(ItemState.DISPATCHED.name())) {
      data.set("workflow", workflow(id, change, isClose));
    }
    return new OutboxEvent(
        id + ":" + (isClose ? CLOSED : String.valueOf(number(change, "revision"))),
        id,
        workspace,
        isClose ? CLOSED : kind(state.toLowerCase(Locale.ROOT)),
        at,
        optionalText(change, "traceparent"),
        Json.MAPPER.writeValueAsBytes(data));
  }

  private static ObjectNode workflow(UUID id, ObjectNode change, boolean isClose) {
    ObjectNode workflow =
        Json.MAPPER
            .createObjectNode()
            .put("workflowId", ExecutionIds.workflowId(id))
            .put("runId", optionalText(change, "run_id"))
            .put(
                "status",
                isClose ? text(change, "workflow_status") : WorkflowStatus.RUNNING.name());
    if (change.has("outcome")) {
      workflow.set(text(change, "outcome"), change.path("value"));
    }
    return workflow;
  }

  private static ObjectNode named(JsonNode words) {
    ObjectNode change = Json.MAPPER.createObjectNode();
    for (int n = 0; n < Math.min(words.size(), WORDS.size()); n++) {
      change.set(WORDS.get(n), words.get(n));
    }
    return change;
  }

  private static int number(JsonNode row, String field) {
    JsonNode value = row.path(field);
    if (!value.isInt()) {
      throw new Incomplete(field + " is not a number");
    }
    return value.intValue();
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
