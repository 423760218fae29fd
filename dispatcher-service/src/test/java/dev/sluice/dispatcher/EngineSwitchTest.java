package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.servers.TestStack;
import io.temporal.client.WorkflowNotFoundException;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EngineSwitchTest {
  @Test
  @Tag("Q20")
  void switchedOffItKeepsRequestsAndStartsNothing() {
    TestStack stack = TestStack.shared();
    Sluice sluice =
        Sluice.on(
            stack.anotherKafka().bootstrapServers(),
            stack.freshDatabase("engine"),
            "--sluice.engine.enabled=false");
    String ws = sluice.workspace("PRO");
    UUID first = sluice.enqueue(ws, "{}");
    sluice.awaitState(first, "PENDING");
    UUID second = sluice.enqueue(ws, "{}");
    sluice.awaitState(second, "PENDING"); // the pipeline has looked at the first by now
    assertThat(sluice.state(first)).isEqualTo("PENDING");
    assertThat(isInTemporal(sluice, first)).isFalse();

    sluice.stop();
    try (var on = sluice.startDispatcher()) {
      sluice.awaitStatus(first, "COMPLETED");
      sluice.awaitStatus(second, "COMPLETED");
    }
  }

  private static boolean isInTemporal(Sluice sluice, UUID id) {
    try {
      sluice.temporal().newUntypedWorkflowStub(ExecutionIds.workflowId(id)).describe();
      return true;
    } catch (WorkflowNotFoundException e) {
      return false;
    }
  }
}
