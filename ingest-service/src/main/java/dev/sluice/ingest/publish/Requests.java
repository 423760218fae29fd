package dev.sluice.ingest.publish;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.RequestParser;
import dev.sluice.contracts.Topics;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Requests as records of {@link Topics#REQUESTS}. */
public final class Requests {
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

  private Requests() {}

  /** What became of a body. */
  public sealed interface Encoded {
    /** Ready to be published; {@code id} is what the producer gets. */
    record Ready(UUID id, ProducerRecord<String, byte[]> message) implements Encoded {}

    /** With the workspace in it, it is more than a dispatcher takes. */
    record TooLarge(int bytes) implements Encoded {}

    /** It holds half a surrogate pair, which is no character in any encoding. */
    record BrokenUnicode() implements Encoded {}
  }

  /**
   * A request as a record, with the id its producer gets.
   *
   * @param body what {@code request} was parsed from; gets the workspace put into it
   */
  public static Encoded encode(
      ExecutionRequest request, ObjectNode body, @Nullable String traceparent) {
    body.put("workspaceId", request.workspaceId());
    byte[] data;
    try {
      data = Json.MAPPER.writeValueAsBytes(body);
    } catch (JacksonException unwritable) {
      return new Encoded.BrokenUnicode();
    }
    if (data.length > RequestParser.LARGEST_BODY) {
      return new Encoded.TooLarge(data.length);
    }
    UUID id =
        Optional.ofNullable(request.idempotencyKey())
            .map(key -> ExecutionIds.ofKey(request.workspaceId(), key))
            .orElseGet(ExecutionIds::mint);
    return new Encoded.Ready(
        id, record(request.workspaceId(), id, EventTypes.REQUESTED, id, data, traceparent));
  }

  public static ProducerRecord<String, byte[]> cancel(
      CancelRequest cancel, @Nullable String traceparent) {
    ObjectNode data = Json.MAPPER.createObjectNode();
    data.put("workspaceId", cancel.workspaceId());
    data.put("id", cancel.id().toString());
    if (cancel.reason() != null) {
      data.put("reason", cancel.reason());
    }
    if (cancel.terminateAfter() != null) {
      data.put("terminateAfter", cancel.terminateAfter().toString());
    }
    return record(
        cancel.workspaceId(),
        UUID.randomUUID(),
        EventTypes.CANCEL_REQUESTED,
        cancel.id(),
        Json.MAPPER.writeValueAsBytes(data),
        traceparent);
  }

  private static ProducerRecord<String, byte[]> record(
      String workspace,
      UUID eventId,
      String type,
      UUID subject,
      byte[] data,
      @Nullable String traceparent) {
    var event =
        CloudEvents.builder(eventId.toString(), EventTypes.INGEST_SOURCE, type, data)
            .withSubject(subject.toString());
    if (traceparent != null && TRACEPARENT.matcher(traceparent).matches()) {
      event.withExtension(EventTypes.TRACEPARENT, traceparent);
    }
    return CloudEvents.toRecord(Topics.REQUESTS, workspace, event.build());
  }
}
