package dev.sluice.dispatcher.finish;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.HistoryEventFilterType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.errordetails.v1.NamespaceNotFoundFailure;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.serviceclient.StatusUtils;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Long polls on the close event of a workflow's newest run. */
public final class TemporalCloses implements CloseSource {
  private static final Duration SHORT_CALL = Duration.ofSeconds(10);

  private final WorkflowServiceStubs temporal;
  private final String namespace;

  public TemporalCloses(WorkflowServiceStubs temporal, String namespace) {
    this.temporal = temporal;
    this.namespace = namespace;
  }

  @Override
  public ListenableFuture<Heard> listen(UUID id, String workspaceId, Duration longest) {
    var request =
        GetWorkflowExecutionHistoryRequest.newBuilder()
            .setNamespace(namespace)
            .setExecution(workflow(id))
            .setWaitNewEvent(true)
            .setHistoryEventFilterType(HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
            .build();
    ListenableFuture<Heard> heard =
        Futures.transformAsync(
            temporal
                .futureStub()
                .withDeadlineAfter(longest.toMillis(), TimeUnit.MILLISECONDS)
                .getWorkflowExecutionHistory(request),
            answer -> read(id, workspaceId, answer),
            MoreExecutors.directExecutor());
    return Futures.catching(
        heard,
        StatusRuntimeException.class,
        failure -> silence(id, workspaceId, failure),
        MoreExecutors.directExecutor());
  }

  private ListenableFuture<Heard> read(
      UUID id, String workspaceId, GetWorkflowExecutionHistoryResponse answer) {
    int events = answer.getHistory().getEventsCount();
    if (events == 0) {
      return Futures.immediateFuture(new Heard.StillOpen());
    }
    return CloseReader.read(id, workspaceId, answer.getHistory().getEvents(events - 1))
        .map(
            close ->
                close.status() == WorkflowStatus.TERMINATED
                    ? unlessReset(close)
                    : Futures.<Heard>immediateFuture(new Heard.Closed(close)))
        .orElseGet(() -> Futures.immediateFuture(new Heard.StillOpen()));
  }

  /** A reset terminates the run it replaces: the workflow goes on and keeps its slot. */
  private ListenableFuture<Heard> unlessReset(Close close) {
    var request =
        DescribeWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setExecution(workflow(close.id()))
            .build();
    return Futures.transform(
        temporal
            .futureStub()
            .withDeadlineAfter(SHORT_CALL.toMillis(), TimeUnit.MILLISECONDS)
            .describeWorkflowExecution(request),
        found ->
            found.getWorkflowExecutionInfo().getStatus()
                    == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
                ? new Heard.StillOpen()
                : new Heard.Closed(close),
        MoreExecutors.directExecutor());
  }

  private static Heard silence(UUID id, String workspaceId, StatusRuntimeException failure) {
    return switch (failure.getStatus().getCode()) {
      case DEADLINE_EXCEEDED, CANCELLED -> new Heard.StillOpen();
      case NOT_FOUND -> {
        boolean namespace = StatusUtils.getFailure(failure, NamespaceNotFoundFailure.class) != null;
        yield namespace
            ? new Heard.Nothing(failure)
            : new Heard.Closed(
                new Close(
                    id,
                    workspaceId,
                    WorkflowStatus.NOT_FOUND,
                    null,
                    "Temporal does not know this workflow any more",
                    null));
      }
      default -> new Heard.Nothing(failure);
    };
  }

  private static WorkflowExecution workflow(UUID id) {
    return WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)).build();
  }

  /** For {@link TemporalCanceller} too: is it worth asking again? */
  static boolean isPassing(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE,
          DEADLINE_EXCEEDED,
          RESOURCE_EXHAUSTED,
          ABORTED,
          INTERNAL,
          UNKNOWN,
          CANCELLED ->
          true;
      default -> false;
    };
  }
}
