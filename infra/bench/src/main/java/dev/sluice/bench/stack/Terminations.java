package dev.sluice.bench.stack;

import com.google.common.util.concurrent.MoreExecutors;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Ends workflows that nobody will ever finish. */
public final class Terminations {
  private static final int AT_A_TIME = 32;

  private Terminations() {}

  public static void all(String temporalAddress, List<String> workflowIds)
      throws InterruptedException {
    var temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(temporalAddress).build());
    try {
      var permits = new Semaphore(AT_A_TIME);
      for (String id : workflowIds) {
        permits.acquire();
        temporal
            .futureStub()
            .terminateWorkflowExecution(request(id))
            .addListener(permits::release, MoreExecutors.directExecutor());
      }
      permits.acquire(AT_A_TIME);
    } finally {
      temporal.shutdownNow();
    }
  }

  public static TerminateWorkflowExecutionRequest request(String workflowId) {
    return TerminateWorkflowExecutionRequest.newBuilder()
        .setNamespace("default")
        .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
        .build();
  }
}
