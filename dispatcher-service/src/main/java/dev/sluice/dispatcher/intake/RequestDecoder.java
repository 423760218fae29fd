package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import io.cloudevents.CloudEvent;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads a record that anybody may have written: key, headers and value are all untrusted. */
final class RequestDecoder {
  /** A structured event wraps its data; more than this cannot hold data within its limit. */
  private static final int LARGEST_VALUE = 2 * RequestParser.LARGEST_BODY;

  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

  private RequestDecoder() {}

  static Decoded decode(ConsumerRecord<byte[], byte[]> received) {
    byte[] key = received.key();
    byte[] value = received.value();
    if (value == null) {
      return unreadable(DeadLetterReason.NO_VALUE, "the record has no value");
    }
    if (key == null || key.length == 0) {
      return unreadable(DeadLetterReason.NO_KEY, "the key must be the workspace id");
    }
    if (value.length > LARGEST_VALUE) {
      return unreadable(
          DeadLetterReason.TOO_LARGE,
          "has %d bytes, at most %d of data are taken"
              .formatted(value.length, RequestParser.LARGEST_BODY));
    }
    try {
      return decode(CloudEvents.fromRecord(received), new String(key, UTF_8));
    } catch (CloudEvents.NotACloudEvent e) {
      return unreadable(DeadLetterReason.NOT_A_CLOUD_EVENT, String.valueOf(e.getMessage()));
    }
  }

  private static Decoded decode(CloudEvent event, String key) {
    byte[] data = CloudEvents.data(event);
    return switch (event.getType()) {
      case EventTypes.REQUESTED ->
          switch (RequestParser.request(data)) {
            case Parsed.Valid<ExecutionRequest>(var request) -> enqueue(event, request, key);
            case Parsed.Invalid<ExecutionRequest> bad -> unreadable(bad.reason(), bad.detail());
          };
      case EventTypes.CANCEL_REQUESTED ->
          switch (RequestParser.cancel(data)) {
            case Parsed.Valid<CancelRequest>(var cancel) ->
                cancel.workspaceId().equals(key)
                    ? new Decoded.Cancel(cancel)
                    : mismatch(cancel.workspaceId());
            case Parsed.Invalid<CancelRequest> bad -> unreadable(bad.reason(), bad.detail());
          };
      default ->
          unreadable(
              DeadLetterReason.UNKNOWN_TYPE,
              "the type must be " + EventTypes.REQUESTED + " or " + EventTypes.CANCEL_REQUESTED);
    };
  }

  private static Decoded enqueue(CloudEvent event, ExecutionRequest request, String key) {
    if (!request.workspaceId().equals(key)) {
      return mismatch(request.workspaceId());
    }
    return idOf(event, request)
        .<Decoded>map(id -> new Decoded.Enqueue(new NewItem(id, request, traceparent(event))))
        .orElseGet(
            () ->
                unreadable(
                    DeadLetterReason.INVALID_FIELD,
                    "id: an event of source %s must have a UUIDv7 as its id"
                        .formatted(EventTypes.INGEST_SOURCE)));
  }

  /** Empty when the event claims to come from ingest-service and does not look like it. */
  private static Optional<UUID> idOf(CloudEvent event, ExecutionRequest request) {
    if (request.idempotencyKey() != null) {
      return Optional.of(ExecutionIds.ofKey(request.workspaceId(), request.idempotencyKey()));
    }
    String source = event.getSource().toString();
    if (!source.equals(EventTypes.INGEST_SOURCE)) {
      return Optional.of(ExecutionIds.ofEvent(request.workspaceId(), source, event.getId()));
    }
    try {
      return Optional.of(UUID.fromString(event.getId())).filter(id -> id.version() == 7);
    } catch (IllegalArgumentException notAUuid) {
      return Optional.empty();
    }
  }

  /** Anything else under that name is not a trace context and is passed over. */
  private static @Nullable String traceparent(CloudEvent event) {
    return event.getExtension(EventTypes.TRACEPARENT) instanceof String text
            && TRACEPARENT.matcher(text).matches()
        ? text
        : null;
  }

  private static Decoded mismatch(String workspaceId) {
    return unreadable(
        DeadLetterReason.KEY_MISMATCH, "the key must be the workspace id, " + workspaceId);
  }

  private static Decoded unreadable(DeadLetterReason reason, String detail) {
    return new Decoded.Unreadable(reason, detail);
  }
}
