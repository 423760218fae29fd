package dev.sluice.dispatcher;

import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.DynamicWorkflow;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Map;

/**
 * Does what its input says: {"wait":true} until it is let go, {"stubborn":true} also when it is
 * asked to stop, {"sleepMs":5}, {"fail":"why"}; answers its input.
 */
public final class ObedientWorkflow implements DynamicWorkflow {
  private boolean go;

  @Override
  public Object execute(EncodedValues args) {
    Workflow.registerListener((DynamicSignalHandler) (name, values) -> go = true);
    @SuppressWarnings("unchecked")
    Map<String, Object> input = args.get(0, Map.class);
    if (input == null) {
      return null;
    }
    if (input.containsKey("sleepMs")) {
      Workflow.sleep(Duration.ofMillis(((Number) input.get("sleepMs")).longValue()));
    }
    if (Boolean.TRUE.equals(input.get("continueAsNew"))) {
      Workflow.continueAsNew(Map.of("wait", true));
    }
    if (Boolean.TRUE.equals(input.get("wait"))) {
      Workflow.await(() -> go);
    }
    if (Boolean.TRUE.equals(input.get("stubborn"))) {
      Workflow.newDetachedCancellationScope(() -> Workflow.await(() -> go)).run();
    }
    if (input.containsKey("fail")) {
      throw ApplicationFailure.newNonRetryableFailure((String) input.get("fail"), "Told");
    }
    return input;
  }
}
