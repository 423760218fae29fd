package dev.sluice.ingest.http;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.FieldProblem;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import dev.sluice.ingest.catalogue.BacklogCap;
import dev.sluice.ingest.catalogue.KnownDefinitions;
import dev.sluice.ingest.publish.CurrentTrace;
import dev.sluice.ingest.publish.Requests;
import dev.sluice.ingest.publish.Requests.Encoded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything that can be wrong with a request, found out before any of it is published. */
@Component
class EnqueueChecks {
  static final int LARGEST_BATCH = 1000;

  private static final int MOST_PROBLEMS = 50;

  private static final Duration LATER = Duration.ofSeconds(10);

  private final KnownDefinitions known;
  private final BacklogCap cap;
  private final CurrentTrace trace;

  EnqueueChecks(KnownDefinitions known, BacklogCap cap, CurrentTrace trace) {
    this.known = known;
    this.cap = cap;
    this.trace = trace;
  }

  Encoded.Ready one(String ws, ObjectNode body, @Nullable String traceparent) {
    ExecutionRequest request =
        switch (RequestParser.body(body, ws)) {
          case Parsed.Valid<ExecutionRequest>(var valid) -> valid;
          case Parsed.Invalid<ExecutionRequest>(var reason, var problems) ->
              throw ProblemException.badFields(problems);
        };
    refuseUnknown(request, "");
    refuseWhenFull(ws, 1);
    return encode(request, body, traceparent, "");
  }

  List<Encoded.Ready> batch(String ws, ObjectNode body, @Nullable String traceparent) {
    ArrayNode items = items(body);
    List<ExecutionRequest> requests = parse(ws, items);
    for (int i = 0; i < requests.size(); i++) {
      refuseUnknown(requests.get(i), path(i) + ".");
    }
    refuseWhenFull(ws, requests.size());
    var ready = new ArrayList<Encoded.Ready>();
    for (int i = 0; i < requests.size(); i++) {
      ready.add(encode(requests.get(i), (ObjectNode) items.get(i), traceparent, path(i)));
    }
    return ready;
  }

  private static ArrayNode items(ObjectNode body) {
    var fields = new Fields(body, Set.of("executions"));
    JsonNode json = body.get("executions");
    if (!(json instanceof ArrayNode items) || items.isEmpty() || items.size() > LARGEST_BATCH) {
      fields.reader().problem("executions", "must be an array of 1 to " + LARGEST_BATCH);
      fields.refuseIfWrong();
      throw new IllegalStateException("a problem was refused without a problem");
    }
    fields.refuseIfWrong();
    return items;
  }

  private static List<ExecutionRequest> parse(String ws, ArrayNode items) {
    var requests = new ArrayList<ExecutionRequest>();
    var problems = new ArrayList<FieldProblem>();
    for (int i = 0; i < items.size(); i++) {
      String path = path(i);
      if (!(items.get(i) instanceof ObjectNode item)) {
        problems.add(new FieldProblem(path, "must be an object"));
        continue;
      }
      switch (RequestParser.body(item, ws)) {
        case Parsed.Valid<ExecutionRequest>(var valid) -> requests.add(valid);
        case Parsed.Invalid<ExecutionRequest>(var reason, var wrong) ->
            wrong.forEach(p -> problems.add(new FieldProblem(path + "." + p.field(), p.message())));
      }
    }
    if (!problems.isEmpty()) {
      throw ProblemException.badFields(problems.stream().limit(MOST_PROBLEMS).toList());
    }
    return requests;
  }

  private void refuseUnknown(ExecutionRequest request, String path) {
    switch (known.check(request.workspaceId(), request.definitionId())) {
      case YES -> {}
      case UNKNOWN_WORKSPACE ->
          throw ProblemException.unknown("workspace", request.workspaceId(), "ws");
      case UNKNOWN_DEFINITION ->
          throw ProblemException.unknown(
              "definition", request.definitionId(), path + "definitionId");
    }
  }

  private void refuseWhenFull(String ws, int more) {
    if (!cap.hasRoom(ws, more)) {
      throw ProblemException.backlogFull(ws, LATER);
    }
  }

  private Encoded.Ready encode(
      ExecutionRequest request, ObjectNode body, @Nullable String traceparent, String path) {
    return switch (Requests.encode(request, body, trace.orElse(traceparent))) {
      case Encoded.Ready ready -> ready;
      case Encoded.TooLarge(int bytes) ->
          throw ProblemException.tooLarge(
              "%s has %d bytes with its workspace, at most %d are taken"
                  .formatted(
                      path.isEmpty() ? "The request" : path, bytes, RequestParser.LARGEST_BODY));
      case Encoded.BrokenUnicode() ->
          throw ProblemException.badField(
              path.isEmpty() ? "input" : path + ".input", "must not contain broken Unicode");
    };
  }

  private static String path(int i) {
    return "executions[" + i + "]";
  }
}
