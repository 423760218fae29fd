package dev.sluice.ingest.http;

import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.catalogue.Catalogue;
import dev.sluice.ingest.catalogue.Maintenance;
import dev.sluice.ingest.catalogue.Plan;
import dev.sluice.ingest.catalogue.SystemControl;
import dev.sluice.ingest.catalogue.SystemLimit;
import dev.sluice.ingest.publish.CapacitySignals;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.node.ObjectNode;

/** What holds for many workspaces: plans, the limit of all together, and maintenance. */
@Tag(name = "Catalogue")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class PlanController {
  private static final int LARGEST_WEIGHT = 1000;

  private final Catalogue catalogue;
  private final SystemControl system;
  private final CapacitySignals signals;

  PlanController(Catalogue catalogue, SystemControl system, CapacitySignals signals) {
    this.catalogue = catalogue;
    this.system = system;
    this.signals = signals;
  }

  /** All plans: they are few. */
  record Plans(List<Plan> items) {}

  @Operation(operationId = "listPlans", summary = "All plans")
  @GetMapping("/plans")
  Plans plans() {
    return new Plans(catalogue.plans());
  }

  @Operation(
      operationId = "putPlan",
      summary = "Makes a plan, or changes its limit for all its workspaces at once",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Bodies.PlanBody.class))))
  @Problems({413, 415})
  @PutMapping("/plans/{plan}")
  Plan putPlan(@PathVariable String plan, @By Operator by, @JsonBody ObjectNode body) {
    Ids.check("plan", plan);
    var fields = new Fields(body, Set.of("limit", "weight", "reason"));
    int limit = fields.requiredInteger("limit", 0, Fields.LARGEST_LIMIT);
    Integer weight = fields.reader().integer("weight", 1, LARGEST_WEIGHT);
    String reason = fields.reason();
    fields.refuseIfWrong();
    Plan stored = catalogue.putPlan(plan, limit, weight, by.because(reason));
    signals.changedEverywhere();
    return stored;
  }

  @Operation(
      operationId = "getLimits",
      summary = "How many executions all workspaces together may have open")
  @GetMapping("/limits")
  SystemLimit limits() {
    return system.limit();
  }

  @Operation(
      operationId = "putLimits",
      summary = "Caps all workspaces together, or lifts the cap",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Bodies.LimitsBody.class))))
  @Problems({413, 415})
  @PutMapping("/limits")
  SystemLimit putLimits(@By Operator by, @JsonBody ObjectNode body) {
    var fields = new Fields(body, Set.of("limit", "reason"));
    Integer limit = fields.reader().integer("limit", 0, Fields.LARGEST_LIMIT);
    String reason = fields.reason();
    fields.refuseIfWrong();
    SystemLimit stored = system.setLimit(limit, by.because(reason));
    signals.changedEverywhere();
    return stored;
  }

  @Operation(operationId = "getMaintenance", summary = "What all dispatchers do")
  @GetMapping("/maintenance")
  Maintenance maintenance() {
    return system.maintenance();
  }

  @Operation(
      operationId = "setMaintenance",
      summary = "Drain, cancel, or back to normal",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(
                      schema = @Schema(implementation = OperatorBodies.MaintenanceBody.class))))
  @Problems({413, 415})
  @PostMapping("/maintenance")
  Maintenance setMaintenance(@By Operator by, @JsonBody ObjectNode body) {
    var fields = new Fields(body, Set.of("mode", "reason"));
    if (fields.reader().json("mode") == null) {
      fields.reader().problem("mode", "is required");
    }
    var mode = fields.oneOf("mode", Maintenance.Mode::of, "normal, drain, cancel");
    String reason = fields.reason();
    fields.refuseIfWrong();
    Maintenance changed = system.setMode(mode.orElseThrow(), by.because(reason));
    signals.changedEverywhere();
    return changed;
  }
}
