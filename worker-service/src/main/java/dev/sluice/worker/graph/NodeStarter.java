package dev.sluice.worker.graph;

import dev.sluice.contracts.graph.BuiltInNodeTypes;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.GraphRun;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Starts a node as what it is: a timer, a value, or an activity. */
final class NodeStarter {
  private final GraphRun run;
  private final NodeTimeouts timeouts;

  NodeStarter(GraphRun run, NodeTimeouts timeouts) {
    this.run = run;
    this.timeouts = timeouts;
  }

  Promise<JsonNode> start(Graph.Node node, Map<String, JsonNode> outputs) {
    return switch (node.type()) {
      case BuiltInNodeTypes.SLEEP -> sleep(node);
      case BuiltInNodeTypes.SET -> Workflow.newPromise(node.config().path("values"));
      default ->
          Workflow.newUntypedActivityStub(options(node))
              .executeAsync(node.type(), JsonNode.class, NodeCall.of(run, node, outputs));
    };
  }

  private static Promise<JsonNode> sleep(Graph.Node node) {
    String duration = node.config().path("duration").asString("");
    JsonNode output = JsonNodeFactory.instance.objectNode().put("slept", duration);
    try {
      return Workflow.newTimer(Duration.parse(duration)).thenApply(done -> output);
    } catch (DateTimeParseException e) {
      throw NodeFailures.badArgument("node " + node.id() + " has no duration like PT1S");
    }
  }

  private ActivityOptions options(Graph.Node node) {
    Graph.Retry retry = node.retryOrDefault();
    return ActivityOptions.newBuilder()
        .setSummary(node.id())
        .setStartToCloseTimeout(Objects.requireNonNullElse(node.timeout(), timeouts.node()))
        .setHeartbeatTimeout(timeouts.heartbeat())
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setMaximumAttempts(retry.maxAttempts())
                .setInitialInterval(retry.backoffOrDefault())
                .build())
        .build();
  }
}
