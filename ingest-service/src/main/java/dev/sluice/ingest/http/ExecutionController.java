package dev.sluice.ingest.http;

import dev.sluice.contracts.FieldReader;
import dev.sluice.contracts.ItemState;
import dev.sluice.ingest.status.Execution;
import dev.sluice.ingest.status.ExecutionPage;
import dev.sluice.ingest.status.Executions;
import dev.sluice.ingest.status.ListFilter;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The window: how executions stand. */
@Tag(name = "Executions")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class ExecutionController {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final Executions executions;

  ExecutionController(Executions executions) {
    this.executions = executions;
  }

  @Operation(
      operationId = "getExecution",
      summary = "An execution; with wait, when it is closed or failed or the time is over")
  @Problems(404)
  @GetMapping("/executions/{id}")
  Execution get(
      @PathVariable String id,
      @Parameter(
              description = "at most PT60S",
              schema = @Schema(type = "string", pattern = "^PT([0-9]|[1-5][0-9]|60)S$"))
          @RequestParam(required = false)
          @Nullable String wait)
      throws InterruptedException {
    UUID uuid = Ids.uuid(id);
    return executions
        .find(uuid, wait == null ? Duration.ZERO : duration(wait))
        .orElseThrow(() -> unknown(uuid));
  }

  @Operation(operationId = "listExecutions", summary = "Executions of a workspace, newest first")
  @Problems(404)
  @GetMapping("/workspaces/{ws}/executions")
  ExecutionPage list(
      @PathVariable String ws,
      @Parameter(schema = @Schema(implementation = ItemState.class)) @RequestParam(required = false)
          @Nullable String status,
      @Parameter(schema = @Schema(pattern = Ids.ID_PATTERN)) @RequestParam(required = false)
          @Nullable String definitionId,
      @Paging.Limit @RequestParam(defaultValue = "50") int limit,
      @Paging.AfterNumber @RequestParam(required = false) @Nullable String after) {
    Ids.check("ws", ws);
    Paging.check(limit);
    var filter =
        new ListFilter(
            ws,
            Optional.ofNullable(status).map(ExecutionController::state),
            Optional.ofNullable(definitionId).map(ExecutionController::definition),
            Paging.number(after));
    return executions
        .list(filter, limit)
        .orElseThrow(
            () -> ProblemException.notFound("unknown-workspace", "there is no workspace " + ws));
  }

  static ProblemException unknown(UUID id) {
    return ProblemException.notFound("unknown-execution", "there is no execution " + id);
  }

  private static Duration duration(String text) {
    try {
      Duration wait = Duration.parse(text);
      if (!wait.isNegative() && wait.compareTo(LONGEST_WAIT) <= 0) {
        return wait;
      }
    } catch (DateTimeException notADuration) {
      // falls through to the one message for both
    }
    throw ProblemException.badField("wait", "must be a duration from PT0S to PT60S, like PT10S");
  }

  private static ItemState state(String text) {
    return Arrays.stream(ItemState.values())
        .filter(state -> state.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                ProblemException.badField(
                    "status", "must be one of " + Arrays.toString(ItemState.values())));
  }

  private static String definition(String id) {
    if (!FieldReader.isId(id)) {
      throw ProblemException.badField("definitionId", "must be 1 to 64 letters, digits or _ . : -");
    }
    return id;
  }
}
