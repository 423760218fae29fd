package dev.sluice.ingest.http;

import dev.sluice.contracts.ItemState;
import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.bulk.BulkActions;
import dev.sluice.ingest.bulk.BulkFilter;
import dev.sluice.ingest.catalogue.Catalogue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** What a person does to all executions of a workspace that match. */
@Tag(name = "Executions")
@RestController
@RequestMapping(path = "/v1/workspaces/{ws}", produces = MediaType.APPLICATION_JSON_VALUE)
class BulkController {
  private static final Set<String> FIELDS =
      Set.of(
          "status",
          "definitionId",
          "partitionKey",
          "acceptedBefore",
          "acceptedAfter",
          "after",
          "reason",
          "dryRun");
  private static final int LONGEST_KEY = 200;

  private final BulkActions actions;
  private final Catalogue catalogue;

  BulkController(BulkActions actions, Catalogue catalogue) {
    this.actions = actions;
    this.catalogue = catalogue;
  }

  @Operation(
      operationId = "cancelExecutions",
      summary = "Takes back what waits and asks what runs to stop, of all that match",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.BulkCancelBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/executions:cancel")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ResponseEntity<Answers.Matched> cancel(
      @PathVariable String ws, @By Operator by, @JsonBody ObjectNode body) {
    Ids.check("ws", ws);
    var known = new HashSet<>(FIELDS);
    known.add("terminateAfter");
    var fields = new Fields(body, known);
    BulkFilter filter =
        filter(ws, fields, ItemState.PENDING, ItemState.CLAIMED, ItemState.DISPATCHED);
    Duration terminateAfter = fields.reader().duration("terminateAfter");
    boolean dryRun = fields.flag("dryRun");
    String reason = fields.reason();
    refuse(ws, fields);
    return dryRun
        ? counted(actions.countCancellable(filter))
        : done(actions.cancel(filter, terminateAfter, by.because(reason)));
  }

  @Operation(
      operationId = "retryExecutions",
      summary = "Runs again all that match: what FAILED, or with status DISPATCHED what is closed",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.BulkRetryBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/executions:retry")
  @ResponseStatus(HttpStatus.ACCEPTED)
  ResponseEntity<Answers.Matched> retry(
      @PathVariable String ws, @By Operator by, @JsonBody ObjectNode body) {
    Ids.check("ws", ws);
    var fields = new Fields(body, FIELDS);
    BulkFilter filter = filter(ws, fields, ItemState.FAILED, ItemState.DISPATCHED);
    boolean dryRun = fields.flag("dryRun");
    String reason = fields.reason();
    refuse(ws, fields);
    return dryRun
        ? counted(actions.countRetryable(filter))
        : done(actions.retry(filter, by.because(reason)));
  }

  private static BulkFilter filter(String ws, Fields fields, ItemState... states) {
    var reader = fields.reader();
    var before = Optional.ofNullable(reader.instant("acceptedBefore"));
    var after = Optional.ofNullable(reader.instant("acceptedAfter"));
    if (before.isPresent() && after.isPresent() && !after.get().isBefore(before.get())) {
      reader.problem("acceptedAfter", "must be before acceptedBefore");
    }
    return new BulkFilter(
        ws,
        fields.oneOf("status", text -> state(text, states), names(states)),
        Optional.ofNullable(reader.id("definitionId")),
        Optional.ofNullable(reader.text("partitionKey", LONGEST_KEY)),
        before,
        after,
        sequence(fields));
  }

  private static Optional<Long> sequence(Fields fields) {
    String after = fields.reader().text("after", LONGEST_KEY);
    if (after != null && !after.matches(Paging.NUMBER)) {
      fields.reader().problem("after", "must be what an answer gave as next");
      return Optional.empty();
    }
    return Optional.ofNullable(after).map(Long::valueOf);
  }

  private static Optional<ItemState> state(String text, ItemState... states) {
    return Arrays.stream(states).filter(state -> state.name().equals(text)).findFirst();
  }

  private static String names(ItemState... states) {
    return String.join(", ", List.of(states).stream().map(ItemState::name).toList());
  }

  private void refuse(String ws, Fields fields) {
    fields.refuseIfWrong();
    if (!catalogue.isWorkspace(ws)) {
      throw ProblemException.notFound("unknown-workspace", "there is no workspace " + ws);
    }
  }

  private static ResponseEntity<Answers.Matched> counted(long matched) {
    return ResponseEntity.ok(new Answers.Matched(matched, true, null, null));
  }

  private static ResponseEntity<Answers.Matched> done(BulkActions.Done done) {
    return ResponseEntity.accepted()
        .body(
            new Answers.Matched(
                done.matched(),
                null,
                done.next().isPresent(),
                done.next().map(String::valueOf).orElse(null)));
  }
}
