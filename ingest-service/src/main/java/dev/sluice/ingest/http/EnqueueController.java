package dev.sluice.ingest.http;

import dev.sluice.ingest.publish.BatchPublisher;
import dev.sluice.ingest.publish.DurablePublisher;
import dev.sluice.ingest.publish.FastBuffer;
import dev.sluice.ingest.publish.Requests.Encoded;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** The way in: a 202 is given for what Kafka has, or what the buffer of the fast way has. */
@Tag(name = "Executions")
@RestController
@RequestMapping(path = "/v1/workspaces/{ws}", produces = MediaType.APPLICATION_JSON_VALUE)
class EnqueueController {
  /** Of a batch's body; each request in it may be as large as one that is sent alone. */
  static final int LARGEST_BATCH_BODY = 8 * 1024 * 1024;

  private static final Duration SOON = Duration.ofSeconds(1);

  private final EnqueueChecks checks;
  private final DurablePublisher durable;
  private final FastBuffer fast;
  private final BatchPublisher batches;

  EnqueueController(
      EnqueueChecks checks, DurablePublisher durable, FastBuffer fast, BatchPublisher batches) {
    this.checks = checks;
    this.durable = durable;
    this.fast = fast;
    this.batches = batches;
  }

  @Operation(
      operationId = "enqueue",
      summary = "Asks for an execution; answered when Kafka has it",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Bodies.ExecutionBody.class))))
  @Problems({413, 415, 422, 429})
  @PostMapping("/executions")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ResponseEntity<Answers.Accepted> enqueue(
      @PathVariable String ws,
      @Parameter(
              description = "fast: answered at once, kept in memory until Kafka has it",
              schema =
                  @Schema(
                      allowableValues = {"durable", "fast"},
                      defaultValue = "durable"))
          @RequestParam(defaultValue = "durable")
          String durability,
      @Parameter(hidden = true) @RequestHeader(required = false) @Nullable String traceparent,
      @JsonBody ObjectNode body) {
    Ids.check("ws", ws);
    Encoded.Ready ready = checks.one(ws, body, traceparent);
    switch (durability) {
      case "durable" -> durable.publish(ready.message());
      case "fast" -> buffer(ready);
      default -> throw ProblemException.badField("durability", "must be durable or fast");
    }
    return ResponseEntity.accepted()
        .location(URI.create(Answers.location(ready.id())))
        .body(Answers.Accepted.of(ready.id(), ws));
  }

  @Operation(
      operationId = "enqueueBatch",
      summary = "Asks for up to 1,000 executions, all or none",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Bodies.BatchBody.class))))
  @Problems({413, 415, 422, 429})
  @PostMapping("/executions:batch")
  @ResponseStatus(HttpStatus.ACCEPTED)
  Answers.AcceptedBatch enqueueBatch(
      @PathVariable String ws,
      @Parameter(hidden = true) @RequestHeader(required = false) @Nullable String traceparent,
      @JsonBody(largest = LARGEST_BATCH_BODY) ObjectNode body) {
    Ids.check("ws", ws);
    var ready = checks.batch(ws, body, traceparent);
    batches.publish(ready.stream().map(Encoded.Ready::message).toList());
    return new Answers.AcceptedBatch(
        ready.stream().map(one -> new Answers.AcceptedId(one.id())).toList());
  }

  private void buffer(Encoded.Ready ready) {
    if (!fast.offer(ready.message())) {
      throw ProblemException.unavailable(
          "buffer-full", "the buffer for durability=fast is full", SOON);
    }
  }
}
