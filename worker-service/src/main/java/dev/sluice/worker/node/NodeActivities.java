package dev.sluice.worker.node;

import dev.sluice.worker.NodeHandler;
import dev.sluice.worker.graph.NodeCall;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.DynamicActivity;
import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Every node that is an activity comes here and goes to the handler of its type. */
@Component
public class NodeActivities implements DynamicActivity {
  private static final Logger log = LoggerFactory.getLogger(NodeActivities.class);

  private final Map<String, NodeHandler> handlers;
  private final Heartbeats heartbeats;
  private final MeterRegistry meters;

  NodeActivities(List<NodeHandler> handlers, Heartbeats heartbeats, MeterRegistry meters) {
    this.handlers = NodeTypes.index(handlers);
    this.heartbeats = heartbeats;
    this.meters = meters;
  }

  @Override
  public Object execute(EncodedValues arguments) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    String type = activity.getInfo().getActivityType();
    NodeHandler handler = handlers.get(type);
    if (handler == null) {
      // Another worker may have it, so a node with retries may still get through.
      throw ApplicationFailure.newFailure(
          "this worker has no node type " + type, "UnknownNodeType");
    }
    NodeCall call = arguments.get(0, NodeCall.class);
    Timer.Sample sample = Timer.start(meters);
    String outcome = "failed";
    try (var watch = heartbeats.watch(activity)) {
      JsonNode output = run(handler, call, activity, watch);
      outcome = "done";
      return output;
    } finally {
      sample.stop(meters.timer("sluice.worker.node", "type", type, "outcome", outcome));
    }
  }

  private static JsonNode run(
      NodeHandler handler,
      NodeCall call,
      ActivityExecutionContext activity,
      Heartbeats.Watch watch) {
    try {
      var context = call.context(activity.getInfo().getAttempt(), watch::isCancelled);
      return Objects.requireNonNullElse(handler.run(context), JsonNodeFactory.instance.nullNode());
    } catch (Exception e) {
      watch.throwIfCancelled();
      log.atWarn()
          .addKeyValue("execution", call.executionId())
          .addKeyValue("workspace", call.workspaceId())
          .addKeyValue("node", call.nodeId())
          .addKeyValue("type", handler.type())
          .addKeyValue("attempt", activity.getInfo().getAttempt())
          .addKeyValue("error", e.getClass().getName())
          .log("node failed");
      throw Activity.wrap(e);
    }
  }
}
