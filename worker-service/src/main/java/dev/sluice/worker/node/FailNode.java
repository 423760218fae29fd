package dev.sluice.worker.node;

import dev.sluice.contracts.graph.BuiltInNodeTypes;
import dev.sluice.worker.NodeContext;
import dev.sluice.worker.NodeHandler;
import io.temporal.failure.ApplicationFailure;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Fails, always or the first few times: as an activity, so that its retries are Temporal's own. */
@Component
class FailNode implements NodeHandler {
  @Override
  public String type() {
    return BuiltInNodeTypes.FAIL;
  }

  @Override
  public JsonNode run(NodeContext node) {
    if (node.attempt() <= node.config().path("times").asInt(Integer.MAX_VALUE)) {
      throw ApplicationFailure.newFailure(
          node.config().path("message").asString("failed"), "FailNode");
    }
    return JsonNodeFactory.instance.objectNode().put("attempts", node.attempt());
  }
}
