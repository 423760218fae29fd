package dev.sluice.ingest.http;

import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.catalogue.BacklogCap;
import dev.sluice.ingest.catalogue.Catalogue;
import dev.sluice.ingest.catalogue.Page;
import dev.sluice.ingest.catalogue.Workspace;
import dev.sluice.ingest.catalogue.WorkspaceSettings;
import dev.sluice.ingest.flow.Pause;
import dev.sluice.ingest.publish.CapacitySignals;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

@Tag(name = "Catalogue")
@RestController
@RequestMapping(path = "/v1/workspaces", produces = MediaType.APPLICATION_JSON_VALUE)
class WorkspaceController {
  private static final Set<String> FIELDS =
      Set.of("plan", "limit", "startsPerSecond", "burst", "backlogLimit", "reason");

  /** One start in nearly three hours: what is slower is a pause. */
  private static final double LOWEST_RATE = 0.0001;

  private static final double HIGHEST_RATE = 10_000;
  private static final int LARGEST_BURST = 100_000;
  private static final int LARGEST_BACKLOG = 100_000_000;

  private final Catalogue catalogue;
  private final BacklogCap backlog;
  private final CapacitySignals signals;

  WorkspaceController(Catalogue catalogue, BacklogCap backlog, CapacitySignals signals) {
    this.catalogue = catalogue;
    this.backlog = backlog;
    this.signals = signals;
  }

  @Operation(operationId = "listWorkspaces", summary = "Workspaces, by id")
  @GetMapping
  Page<Workspace> list(
      @Paging.Limit @RequestParam(defaultValue = "50") int limit,
      @Paging.After @RequestParam(defaultValue = "") String after) {
    Paging.check(limit, after);
    return catalogue.workspaces(after, limit);
  }

  @Operation(
      operationId = "putWorkspace",
      summary = "Makes a workspace, or gives it another plan and other limits",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Bodies.WorkspaceBody.class))))
  @Problems({413, 415, 422})
  @PutMapping("/{ws}")
  Workspace put(@PathVariable String ws, @By Operator by, @JsonBody ObjectNode body) {
    Ids.check("ws", ws);
    var fields = new Fields(body, FIELDS);
    WorkspaceSettings settings = settings(fields);
    String reason = fields.reason();
    fields.refuseIfWrong();
    Workspace stored =
        catalogue
            .putWorkspace(ws, settings, by.because(reason))
            .orElseThrow(() -> ProblemException.unknown("plan", settings.plan(), "plan"));
    backlog.forget(ws);
    signals.changed(ws);
    return stored;
  }

  @Operation(operationId = "getWorkspace", summary = "A workspace, and how it stands")
  @Problems(404)
  @GetMapping("/{ws}")
  Workspace get(@PathVariable String ws) {
    Ids.check("ws", ws);
    return found(ws);
  }

  @Operation(
      operationId = "pauseWorkspace",
      summary = "Starts nothing more of it, until it is resumed or the time comes",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.PauseBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/{ws}/pause")
  Workspace pause(
      @PathVariable String ws, @By Operator by, @JsonBody(required = false) ObjectNode body) {
    Ids.check("ws", ws);
    Pause pause = PauseBodies.pause(body);
    switch (catalogue.pause(ws, pause, by.because(pause.reason()))) {
      case DONE -> signals.changed(ws);
      case UNKNOWN -> throw unknown(ws);
      case ALREADY_OVER -> throw ProblemException.badField("until", "must be in the future");
    }
    return found(ws);
  }

  @Operation(
      operationId = "resumeWorkspace",
      summary = "Ends a pause",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.ReasonBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/{ws}/resume")
  Workspace resume(
      @PathVariable String ws, @By Operator by, @JsonBody(required = false) ObjectNode body) {
    Ids.check("ws", ws);
    String reason = PauseBodies.reason(body);
    if (!catalogue.resume(ws, by.because(reason))) {
      throw unknown(ws);
    }
    signals.changed(ws);
    return found(ws);
  }

  private static WorkspaceSettings settings(Fields fields) {
    String plan = fields.reader().requiredId("plan");
    Integer limit = fields.reader().integer("limit", 0, Fields.LARGEST_LIMIT);
    Double rate = fields.number("startsPerSecond", LOWEST_RATE, HIGHEST_RATE);
    Integer burst = fields.reader().integer("burst", 1, LARGEST_BURST);
    if (fields.reader().json("burst") != null && fields.reader().json("startsPerSecond") == null) {
      fields.reader().problem("burst", "must be absent when there is no startsPerSecond");
    }
    Integer backlog = fields.reader().integer("backlogLimit", 0, LARGEST_BACKLOG);
    return new WorkspaceSettings(plan, limit, rate, burst, backlog);
  }

  private Workspace found(String ws) {
    return catalogue.workspace(ws).orElseThrow(() -> unknown(ws));
  }

  private static ProblemException unknown(String ws) {
    return ProblemException.notFound("unknown-workspace", "there is no workspace " + ws);
  }
}
