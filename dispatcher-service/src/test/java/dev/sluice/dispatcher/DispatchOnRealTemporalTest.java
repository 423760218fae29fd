package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.ExecutionIds;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same, and what only a real server can do. Skipped where no temporal CLI is found. */
class DispatchOnRealTemporalTest extends DispatchTest {
  private final Sluice sluice = sluice();

  @BeforeAll
  static void aRealServerIsHere() {
    Sluice.assumeRealTemporal();
  }

  @Override
  Sluice sluice() {
    return Sluice.onRealTemporal().orElseThrow();
  }

  @Test
  void aResetWorkflowKeepsItsSlot() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{\"wait\":true}");
    UUID next = sluice.enqueue(ws, "{}");
    sluice.awaitState(id, "DISPATCHED");
    var stub = sluice.temporal().newUntypedWorkflowStub(ExecutionIds.workflowId(id));
    await().until(() -> stub.describe().getHistoryLength() >= 4); // one workflow task is done
    String firstRun = stub.describe().getExecution().getRunId();
    sluice
        .temporal()
        .getWorkflowServiceStubs()
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setWorkflowExecution(
                    WorkflowExecution.newBuilder()
                        .setWorkflowId(ExecutionIds.workflowId(id))
                        .setRunId(firstRun))
                .setWorkflowTaskFinishEventId(4)
                .setRequestId(UUID.randomUUID().toString())
                .build());
    await().until(() -> !stub.describe().getExecution().getRunId().equals(firstRun));
    assertThat(sluice.workflowStatus(id)).isEqualTo("RUNNING");
    assertThat(sluice.state(next)).isEqualTo("PENDING");
    sluice.letGo(id);
    sluice.awaitStatus(id, "COMPLETED");
    sluice.awaitStatus(next, "COMPLETED");
  }
}
