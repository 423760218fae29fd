package dev.sluice.dispatcher.finish;

import dev.sluice.contracts.Json;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.HistoryEvent;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** What the last event of a workflow's history says. */
final class CloseReader {
  private static final int LONGEST_ERROR = 4000;

  private CloseReader() {}

  /** Empty when the event is no close, or when another run goes on in its place. */
  static Optional<Close> read(UUID id, String workspaceId, HistoryEvent event) {
    return switch (event.getEventType()) {
      case EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED -> {
        var completed = event.getWorkflowExecutionCompletedEventAttributes();
        yield goesOn(completed.getNewExecutionRunId())
            ? Optional.empty()
            : close(id, workspaceId, WorkflowStatus.COMPLETED, json(completed.getResult()), null);
      }
      case EVENT_TYPE_WORKFLOW_EXECUTION_FAILED -> {
        var failed = event.getWorkflowExecutionFailedEventAttributes();
        yield goesOn(failed.getNewExecutionRunId())
            ? Optional.empty()
            : close(id, workspaceId, WorkflowStatus.FAILED, null, message(failed.getFailure()));
      }
      case EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT ->
          goesOn(event.getWorkflowExecutionTimedOutEventAttributes().getNewExecutionRunId())
              ? Optional.empty()
              : close(id, workspaceId, WorkflowStatus.TIMED_OUT, null, "the deadline passed");
      case EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED ->
          close(id, workspaceId, WorkflowStatus.CANCELED, null, null);
      case EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED -> {
        String reason = event.getWorkflowExecutionTerminatedEventAttributes().getReason();
        yield close(id, workspaceId, WorkflowStatus.TERMINATED, null, reason);
      }
      default -> Optional.empty();
    };
  }

  private static boolean goesOn(String newRunId) {
    return !newRunId.isEmpty();
  }

  private static Optional<Close> close(
      UUID id,
      String workspaceId,
      WorkflowStatus status,
      @Nullable String result,
      @Nullable String error) {
    String text = error == null || error.isBlank() ? null : printable(error);
    return Optional.of(new Close(id, workspaceId, status, result, text, null));
  }

  /** The message and those of its causes, for the outermost is often only "Activity failure". */
  private static String message(Failure failure) {
    var text = new StringBuilder(failure.getMessage());
    Failure cause = failure;
    while (cause.hasCause() && text.length() < LONGEST_ERROR) {
      cause = cause.getCause();
      if (!cause.getMessage().isBlank()) {
        text.append(": ").append(cause.getMessage());
      }
    }
    return text.toString();
  }

  private static @Nullable String json(Payloads result) {
    if (result.getPayloadsCount() == 0) {
      return null;
    }
    if (result.getPayloadsCount() == 1) {
      return json(result.getPayloads(0));
    }
    var all = Json.MAPPER.createArrayNode();
    result.getPayloadsList().forEach(p -> all.add(Json.MAPPER.readTree(json(p))));
    return Json.MAPPER.writeValueAsString(all);
  }

  private static String json(Payload payload) {
    String encoding = payload.getMetadataOrDefault("encoding", payload.getData()).toStringUtf8();
    if (encoding.equals("binary/null")) {
      return "null";
    }
    if (encoding.startsWith("json/")) {
      try {
        return Json.MAPPER.writeValueAsString(
            Json.MAPPER.readTree(payload.getData().toByteArray()));
      } catch (JacksonException notJson) {
        // Named JSON but is none: shown as the bytes it is, like any other encoding.
      }
    }
    var opaque = Json.MAPPER.createObjectNode();
    opaque.put("encoding", printable(encoding));
    opaque.put("base64", Base64.getEncoder().encodeToString(payload.getData().toByteArray()));
    return Json.MAPPER.writeValueAsString(opaque);
  }

  /** PostgreSQL takes no NUL, and a message is for people. */
  private static String printable(String text) {
    String clean = text.replace('\0', ' ').strip();
    return clean.length() <= LONGEST_ERROR ? clean : clean.substring(0, LONGEST_ERROR) + "…";
  }
}
