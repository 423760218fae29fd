package dev.sluice.worker.graph;

import dev.sluice.contracts.Json;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.contracts.graph.GraphRun;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One workflow thread starts whatever is free and waits for any of it to end: a thread for each
 * node would use up the worker's threads with graphs of hundreds of nodes.
 */
public final class GraphWorkflowImpl implements GraphWorkflow {
  private final NodeTimeouts timeouts;
  private final Map<String, Promise<JsonNode>> running = new LinkedHashMap<>();
  private final Map<String, JsonNode> outputs = new LinkedHashMap<>();
  private Plan plan = Plan.EMPTY;

  public GraphWorkflowImpl(NodeTimeouts timeouts) {
    this.timeouts = timeouts;
  }

  @Override
  public JsonNode run(@Nullable JsonNode argument) {
    GraphRun run = read(argument);
    plan = plan(run.graph());
    var starter = new NodeStarter(run, timeouts);
    Workflow.newCancellationScope(scope -> runNodes(starter, scope)).run();
    return Results.of(run.graph(), plan, outputs);
  }

  @Override
  public GraphProgress progress() {
    var current = plan.nodes().stream().map(Graph.Node::id).filter(running::containsKey).toList();
    return GraphProgress.of(current, outputs.size(), plan.size());
  }

  private void runNodes(NodeStarter starter, CancellationScope scope) {
    try {
      while (outputs.size() < plan.size()) {
        plan.nodes().stream().filter(this::isFree).forEach(node -> start(node, starter));
        Workflow.await(this::someNodeEnded);
        plan.nodes().forEach(this::collectIfEnded);
      }
    } catch (CanceledFailure | ApplicationFailure stop) {
      scope.cancel("the graph stops");
      // The workflow must not close, and its slot not be free, while a node is still at work.
      Workflow.newDetachedCancellationScope(() -> Workflow.await(this::allNodesEnded)).run();
      throw stop;
    }
  }

  private boolean isFree(Graph.Node node) {
    return !running.containsKey(node.id())
        && !outputs.containsKey(node.id())
        && outputs.keySet().containsAll(plan.predecessorsOf(node));
  }

  private void start(Graph.Node node, NodeStarter starter) {
    var given = new LinkedHashMap<String, JsonNode>();
    plan.predecessorsOf(node).forEach(id -> given.put(id, outputs.get(id)));
    running.put(node.id(), starter.start(node, given));
  }

  private void collectIfEnded(Graph.Node node) {
    Promise<JsonNode> promise = running.get(node.id());
    if (promise == null || !promise.isCompleted()) {
      return;
    }
    running.remove(node.id());
    RuntimeException failure = promise.getFailure();
    if (failure == null) {
      outputs.put(node.id(), promise.get());
    } else if (CancellationScope.current().isCancelRequested()) {
      throw new CanceledFailure("cancelled while node " + node.id() + " was at work");
    } else {
      throw NodeFailures.of(node, failure);
    }
  }

  private boolean someNodeEnded() {
    return running.values().stream().anyMatch(Promise::isCompleted);
  }

  private boolean allNodesEnded() {
    return running.values().stream().allMatch(Promise::isCompleted);
  }

  private static GraphRun read(@Nullable JsonNode argument) {
    if (argument == null || !argument.isObject()) {
      throw NodeFailures.badArgument("it must be a JSON object");
    }
    try {
      return Json.MAPPER.treeToValue(argument, GraphRun.class);
    } catch (JacksonException e) {
      // Names the field; the values of the input are not in it.
      throw NodeFailures.badArgument(e.getOriginalMessage());
    }
  }

  private static Plan plan(Graph graph) {
    try {
      return Plan.of(graph);
    } catch (IllegalStateException cycle) {
      throw NodeFailures.badArgument(String.valueOf(cycle.getMessage()));
    }
  }
}
