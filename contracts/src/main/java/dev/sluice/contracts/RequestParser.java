package dev.sluice.contracts;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bytes from outside become a valid request, or a list of everything that is wrong with them. */
public final class RequestParser {
  /** Of a request's data, in bytes. */
  public static final int LARGEST_BODY = 256 * 1024;

  private static final int LONGEST_KEY = 200;
  private static final int LONGEST_REASON = 500;

  private static final Set<String> BODY_FIELDS =
      Set.of(
          "definitionId",
          "input",
          "idempotencyKey",
          "priority",
          "notBefore",
          "expiresAt",
          "deadline",
          "partitionKey",
          "limits",
          "parentId");
  private static final Set<String> RECORD_FIELDS = with(BODY_FIELDS, "workspaceId");
  private static final Set<String> CANCEL_FIELDS =
      Set.of("workspaceId", "id", "reason", "terminateAfter");

  private RequestParser() {}

  /** Data of a Kafka record: names its workspace itself. */
  public static Parsed<ExecutionRequest> request(byte[] data) {
    return switch (object(data)) {
      case Parsed.Invalid<ObjectNode>(var reason, var problems) ->
          new Parsed.Invalid<>(reason, problems);
      case Parsed.Valid<ObjectNode>(var object) -> request(object, null);
    };
  }

  /** Body of an HTTP POST: the path names the workspace. */
  public static Parsed<ExecutionRequest> body(ObjectNode object, String workspaceId) {
    return request(object, workspaceId);
  }

  public static Parsed<CancelRequest> cancel(byte[] data) {
    return switch (object(data)) {
      case Parsed.Invalid<ObjectNode>(var reason, var problems) ->
          new Parsed.Invalid<>(reason, problems);
      case Parsed.Valid<ObjectNode>(var object) -> cancel(object);
    };
  }

  /** The strict first step of every parse: one JSON object, not too large. */
  public static Parsed<ObjectNode> object(byte[] data) {
    return object(data, LARGEST_BODY);
  }

  /** For a document that holds many requests, or none. */
  public static Parsed<ObjectNode> object(byte[] data, int largest) {
    if (data.length > largest) {
      return invalid(
          DeadLetterReason.TOO_LARGE,
          "",
          "has %d bytes, at most %d are taken".formatted(data.length, largest));
    }
    try {
      return Json.MAPPER.readTree(data) instanceof ObjectNode object
          ? new Parsed.Valid<>(object)
          : invalid(DeadLetterReason.NOT_JSON, "", "must be a JSON object");
    } catch (JacksonException e) {
      // The original message may quote the payload, which is never repeated.
      var at = e.getLocation();
      String where =
          at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      return invalid(DeadLetterReason.NOT_JSON, "", "is not well-formed JSON" + where);
    }
  }

  private static Parsed<ExecutionRequest> request(ObjectNode object, @Nullable String workspaceId) {
    var fields = new FieldReader(object);
    fields.refuseOthersThan(workspaceId == null ? RECORD_FIELDS : BODY_FIELDS);
    Integer priority =
        fields.integer("priority", ExecutionRequest.FIRST_PRIORITY, ExecutionRequest.LAST_PRIORITY);
    Instant notBefore = fields.instant("notBefore");
    Instant expiresAt = fields.instant("expiresAt");
    if (notBefore != null && expiresAt != null && !notBefore.isBefore(expiresAt)) {
      fields.problem("notBefore", "must be before expiresAt");
    }
    JsonNode input = object.get("input");
    if (input != null && !StorableJson.isWhole(input)) {
      fields.problem("input", "must not contain half a surrogate pair");
    }
    var request =
        new ExecutionRequest(
            workspaceId == null ? fields.requiredId("workspaceId") : workspaceId,
            fields.requiredId("definitionId"),
            input == null ? "null" : Json.MAPPER.writeValueAsString(input),
            fields.text("idempotencyKey", LONGEST_KEY),
            Objects.requireNonNullElse(priority, ExecutionRequest.DEFAULT_PRIORITY),
            notBefore,
            expiresAt,
            fields.duration("deadline"),
            fields.text("partitionKey", LONGEST_KEY),
            LimitsParser.limits(fields),
            fields.id("parentId"));
    return result(fields, request);
  }

  private static Parsed<CancelRequest> cancel(ObjectNode object) {
    var fields = new FieldReader(object);
    fields.refuseOthersThan(CANCEL_FIELDS);
    String workspaceId = fields.requiredId("workspaceId");
    UUID id = fields.uuid("id");
    if (fields.json("id") == null) {
      fields.problem("id", "is required");
    }
    String reason = fields.text("reason", LONGEST_REASON);
    var cancel =
        new CancelRequest(
            workspaceId,
            id == null ? new UUID(0, 0) : id,
            reason,
            fields.duration("terminateAfter"));
    return result(fields, cancel);
  }

  private static <T> Parsed<T> result(FieldReader fields, T value) {
    return fields.problems().isEmpty()
        ? new Parsed.Valid<>(value)
        : new Parsed.Invalid<>(DeadLetterReason.INVALID_FIELD, fields.problems());
  }

  private static <T> Parsed<T> invalid(DeadLetterReason reason, String field, String message) {
    return new Parsed.Invalid<>(reason, List.of(new FieldProblem(field, message)));
  }

  private static Set<String> with(Set<String> set, String more) {
    var all = new HashSet<>(set);
    all.add(more);
    return Set.copyOf(all);
  }
}
