package dev.sluice.dispatcher.finish;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.dispatcher.temporal.Calls;
import io.grpc.Status;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.RequestCancelWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks again while Temporal is away; the same request id makes that one request. */
public final class TemporalCanceller implements WorkflowCanceller {
  private static final Logger log = LoggerFactory.getLogger(TemporalCanceller.class);
  private static final int CALL_SECONDS = 10;
  private static final int PAUSE_SECONDS = 2;

  private final WorkflowServiceStubs temporal;
  private final String namespace;
  private final ScheduledExecutorService timer;

  public TemporalCanceller(
      WorkflowServiceStubs temporal, String namespace, ScheduledExecutorService timer) {
    this.temporal = temporal;
    this.namespace = namespace;
    this.timer = timer;
  }

  @Override
  public void cancel(UUID id, String workspaceId) {
    var request =
        RequestCancelWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setWorkflowExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)))
            .setRequestId(id.toString())
            .setIdentity("sluice-dispatcher")
            .build();
    Calls.when(
        temporal
            .futureStub()
            .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
            .requestCancelWorkflowExecution(request),
        done ->
            log.atInfo()
                .addKeyValue("workspace", workspaceId)
                .addKeyValue("execution", id)
                .log("asked the workflow to stop"),
        failure -> failed(id, workspaceId, Status.fromThrowable(failure)));
  }

  @Override
  public void terminate(UUID id, String workspaceId) {
    var request =
        TerminateWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setWorkflowExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)))
            .setReason("asked to stop, and still open when its time was over")
            .setIdentity("sluice-dispatcher")
            .build();
    Calls.when(
        temporal
            .futureStub()
            .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
            .terminateWorkflowExecution(request),
        done -> logTermination(id, workspaceId, Status.OK),
        failure -> logTermination(id, workspaceId, Status.fromThrowable(failure)));
  }

  private static void logTermination(UUID id, String workspaceId, Status status) {
    log.atInfo()
        .addKeyValue("workspace", workspaceId)
        .addKeyValue("execution", id)
        .addKeyValue("status", status.getCode())
        .log("terminated a workflow that did not stop in time");
  }

  private void failed(UUID id, String workspaceId, Status status) {
    boolean again = TemporalCloses.isPassing(status);
    log.atInfo()
        .addKeyValue("workspace", workspaceId)
        .addKeyValue("execution", id)
        .addKeyValue("status", status.getCode())
        .log(
            again
                ? "could not ask the workflow to stop, asking again"
                : "the workflow cannot be asked to stop");
    if (again) {
      var _ = timer.schedule(() -> cancel(id, workspaceId), PAUSE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
