package dev.sluice.ingest.http;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.ingest.audit.Audit;
import dev.sluice.ingest.audit.Changes;
import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.publish.DurablePublisher;
import dev.sluice.ingest.publish.Requests;
import dev.sluice.ingest.status.Executions;
import dev.sluice.ingest.status.Executions.Standing;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** What a person does to one execution. The dispatcher that owns it looks again before it acts. */
@Tag(name = "Executions")
@RestController
@RequestMapping(path = "/v1/executions/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
class OperatorController {
  private final Executions executions;
  private final DurablePublisher publisher;
  private final Audit audit;

  OperatorController(Executions executions, DurablePublisher publisher, Audit audit) {
    this.executions = executions;
    this.publisher = publisher;
    this.audit = audit;
  }

  @Operation(
      operationId = "cancelExecution",
      summary = "Takes back what waits, asks what runs to stop",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.CancelBody.class))))
  @Problems({404, 409, 413, 415})
  @PostMapping("/cancel")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ResponseEntity<Answers.Accepted> cancel(
      @PathVariable String id,
      @By Operator by,
      @Parameter(hidden = true) @RequestHeader(required = false) @Nullable String traceparent,
      @JsonBody(required = false) ObjectNode body)
      throws InterruptedException {
    UUID uuid = Ids.uuid(id);
    var fields = new Fields(body, Set.of("reason", "terminateAfter"));
    String reason = fields.reason();
    Duration terminateAfter = fields.reader().duration("terminateAfter");
    fields.refuseIfWrong();
    Standing.Queued item = queued(uuid);
    if (item.ended()) {
      throw ProblemException.conflict(
          "already-ended", "it has ended already (%s)".formatted(item.state()));
    }
    var request = new CancelRequest(item.workspaceId(), uuid, reason, terminateAfter);
    publisher.publish(Requests.cancel(request, traceparent));
    audit.published(
        by.because(reason),
        "execution.cancel",
        item.workspaceId(),
        uuid.toString(),
        Changes.none().with("state", item.state()).with("terminateAfter", terminateAfter));
    return accepted(uuid, item.workspaceId());
  }

  @Operation(
      operationId = "retryExecution",
      summary = "Runs it again: under its own id when nothing was started, else under a new one",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.ReasonBody.class))))
  @Problems({404, 409, 413, 415})
  @PostMapping("/retry")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ResponseEntity<Answers.Accepted> retry(
      @PathVariable String id, @By Operator by, @JsonBody(required = false) ObjectNode body)
      throws InterruptedException {
    UUID uuid = Ids.uuid(id);
    String reason = PauseBodies.reason(body);
    Standing.Queued item = queued(uuid);
    boolean failed = item.state() == ItemState.FAILED;
    boolean closed = item.state() == ItemState.DISPATCHED && item.ended();
    if (!failed && !closed) {
      throw ProblemException.conflict(
          "not-retryable",
          "only what FAILED, or what was started and is closed, can be retried; it is "
              + item.state());
    }
    UUID newId = ExecutionIds.mint();
    var retry = new Signal.Retry(item.workspaceId(), uuid, newId, reason);
    publisher.publish(SignalCodec.encode(retry, EventTypes.INGEST_SOURCE));
    audit.published(
        by.because(reason),
        "execution.retry",
        item.workspaceId(),
        uuid.toString(),
        Changes.none().with("state", item.state()).with("newId", failed ? null : newId));
    return accepted(failed ? uuid : newId, item.workspaceId());
  }

  private Standing.Queued queued(UUID id) throws InterruptedException {
    return switch (executions.standing(id)) {
      case Standing.Queued queued -> queued;
      case Standing.Unknown() -> throw ExecutionController.unknown(id);
      case Standing.NotQueuedYet() ->
          throw ProblemException.conflict(
              "not-queued-yet", "it is accepted but not queued yet; try again in a moment");
    };
  }

  private static ResponseEntity<Answers.Accepted> accepted(UUID id, String workspaceId) {
    return ResponseEntity.accepted()
        .location(URI.create(Answers.location(id)))
        .body(Answers.Accepted.of(id, workspaceId));
  }
}
