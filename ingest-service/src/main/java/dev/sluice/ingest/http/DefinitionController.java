package dev.sluice.ingest.http;

import dev.sluice.contracts.FieldReader;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.GraphParser;
import dev.sluice.ingest.audit.Operator;
import dev.sluice.ingest.catalogue.Backoff;
import dev.sluice.ingest.catalogue.Catalogue;
import dev.sluice.ingest.catalogue.Collision;
import dev.sluice.ingest.catalogue.Definition;
import dev.sluice.ingest.catalogue.DefinitionDraft;
import dev.sluice.ingest.catalogue.DefinitionSettings;
import dev.sluice.ingest.catalogue.GraphSettings;
import dev.sluice.ingest.catalogue.Page;
import dev.sluice.ingest.flow.Pause;
import dev.sluice.ingest.publish.CapacitySignals;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Tag(name = "Catalogue")
@RestController
@RequestMapping(
    path = "/v1/workspaces/{ws}/definitions",
    produces = MediaType.APPLICATION_JSON_VALUE)
class DefinitionController {
  private static final Set<String> FIELDS =
      Set.of(
          "workflowType",
          "taskQueue",
          "graph",
          "maxAttempts",
          "limit",
          "collision",
          "backoff",
          "reason");
  private static final int LONGEST_NAME = 200;
  private static final int MOST_ATTEMPTS = 100;

  private final Catalogue catalogue;
  private final CapacitySignals signals;
  private final GraphSettings graphs;

  DefinitionController(Catalogue catalogue, CapacitySignals signals, GraphSettings graphs) {
    this.catalogue = catalogue;
    this.signals = signals;
    this.graphs = graphs;
  }

  @Operation(operationId = "listDefinitions", summary = "Definitions of a workspace, by id")
  @Problems(404)
  @GetMapping
  Page<Definition> list(
      @PathVariable String ws,
      @Paging.Limit @RequestParam(defaultValue = "50") int limit,
      @Paging.After @RequestParam(defaultValue = "") String after) {
    Ids.check("ws", ws);
    Paging.check(limit, after);
    var page = catalogue.definitions(ws, after, limit);
    if (page.items().isEmpty() && !catalogue.isWorkspace(ws)) {
      throw ProblemException.notFound("unknown-workspace", "there is no workspace " + ws);
    }
    return page;
  }

  @Operation(operationId = "getDefinition", summary = "A definition in its current version")
  @Problems(404)
  @GetMapping("/{def}")
  Definition get(@PathVariable String ws, @PathVariable String def) {
    Ids.check("ws", ws, "def", def);
    return found(ws, def);
  }

  @Operation(
      operationId = "putDefinition",
      summary = "Makes a definition; another graph, type or queue makes the next version",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(
                      schema = @Schema(implementation = DefinitionBodies.DefinitionBody.class))))
  @Problems({413, 415, 422})
  @PutMapping("/{def}")
  Definition put(
      @PathVariable String ws,
      @PathVariable String def,
      @By Operator by,
      @JsonBody ObjectNode body) {
    Ids.check("ws", ws, "def", def);
    var fields = new Fields(body, FIELDS);
    DefinitionDraft draft = draft(fields, body);
    String reason = fields.reason();
    fields.refuseIfWrong();
    Definition stored =
        catalogue
            .putDefinition(ws, def, draft, by.because(reason))
            .orElseThrow(() -> ProblemException.unknown("workspace", ws, "ws"));
    signals.changed(ws);
    return stored;
  }

  @Operation(
      operationId = "pauseDefinition",
      summary = "Starts nothing more of it, until it is resumed or the time comes",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.PauseBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/{def}/pause")
  Definition pause(
      @PathVariable String ws,
      @PathVariable String def,
      @By Operator by,
      @JsonBody(required = false) ObjectNode body) {
    Ids.check("ws", ws, "def", def);
    Pause pause = PauseBodies.pause(body);
    switch (catalogue.pause(ws, def, pause, by.because(pause.reason()))) {
      case DONE -> signals.changed(ws);
      case UNKNOWN -> throw unknown(ws, def);
      case ALREADY_OVER -> throw ProblemException.badField("until", "must be in the future");
    }
    return found(ws, def);
  }

  @Operation(
      operationId = "resumeDefinition",
      summary = "Ends a pause",
      requestBody =
          @RequestBody(
              content =
                  @Content(schema = @Schema(implementation = OperatorBodies.ReasonBody.class))))
  @Problems({404, 413, 415})
  @PostMapping("/{def}/resume")
  Definition resume(
      @PathVariable String ws,
      @PathVariable String def,
      @By Operator by,
      @JsonBody(required = false) ObjectNode body) {
    Ids.check("ws", ws, "def", def);
    String reason = PauseBodies.reason(body);
    if (!catalogue.resume(ws, def, by.because(reason))) {
      throw unknown(ws, def);
    }
    signals.changed(ws);
    return found(ws, def);
  }

  private Definition found(String ws, String def) {
    return catalogue.definition(ws, def).orElseThrow(() -> unknown(ws, def));
  }

  private static ProblemException unknown(String ws, String def) {
    return ProblemException.notFound(
        "unknown-definition", "there is no definition %s in workspace %s".formatted(def, ws));
  }

  private DefinitionDraft draft(Fields fields, ObjectNode body) {
    JsonNode graph = body.get("graph");
    String type = fields.reader().text("workflowType", LONGEST_NAME);
    String queue = fields.reader().text("taskQueue", LONGEST_NAME);
    if (graph == null) {
      require(fields, "workflowType");
      require(fields, "taskQueue");
    } else {
      refuse(fields, body, "workflowType");
      refuse(fields, body, "taskQueue");
    }
    String text = graph == null ? null : graph(fields, graph);
    return new DefinitionDraft(type, queue, text, settings(fields));
  }

  private static DefinitionSettings settings(Fields fields) {
    Integer attempts = fields.reader().integer("maxAttempts", 1, MOST_ATTEMPTS);
    return new DefinitionSettings(
        Objects.requireNonNullElse(attempts, DefinitionSettings.DEFAULT_ATTEMPTS),
        fields.reader().integer("limit", 0, Fields.LARGEST_LIMIT),
        fields
            .oneOf("collision", Collision::of, "queue, reject, cancel-running, replace-waiting")
            .orElse(Collision.QUEUE),
        backoff(fields));
  }

  private static @Nullable Backoff backoff(Fields fields) {
    JsonNode node = fields.reader().json("backoff");
    if (node == null) {
      return null;
    }
    if (!(node instanceof ObjectNode object)) {
      fields.reader().problem("backoff", "must be an object with first and longest");
      return null;
    }
    var inside = new FieldReader(object);
    inside.refuseOthersThan(Set.of("first", "longest"));
    Duration first = required(inside, "first");
    Duration longest = required(inside, "longest");
    if (first != null && longest != null && first.compareTo(longest) > 0) {
      inside.problem("first", "must not be longer than longest");
    }
    inside.problems().forEach(p -> fields.reader().problem("backoff." + p.field(), p.message()));
    return first == null || longest == null ? null : new Backoff(first, longest);
  }

  private static @Nullable Duration required(FieldReader fields, String name) {
    if (fields.json(name) == null) {
      fields.problem(name, "is required");
    }
    return fields.duration(name);
  }

  private @Nullable String graph(Fields fields, JsonNode graph) {
    return switch (GraphParser.parse(graph, graphs.nodeTypes())) {
      case Parsed.Valid<Graph>(var valid) -> Json.MAPPER.writeValueAsString(graph);
      case Parsed.Invalid<Graph>(var reason, var problems) -> {
        problems.forEach(problem -> fields.reader().problem(problem.field(), problem.message()));
        yield null;
      }
    };
  }

  private static void require(Fields fields, String field) {
    if (fields.reader().json(field) == null) {
      fields.reader().problem(field, "is required when there is no graph");
    }
  }

  private static void refuse(Fields fields, ObjectNode body, String field) {
    if (body.has(field)) {
      fields.reader().problem(field, "must be absent when there is a graph");
    }
  }
}
