package dev.sluice.recovery.reconcile;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.sluice.contracts.ExecutionIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.errordetails.v1.NamespaceNotFoundFailure;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.serviceclient.StatusUtils;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Temporal over its own protocol. */
final class TemporalClient implements Temporal {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final String PREFIX = "execution-";
  private static final int PAGE = 1_000;
  private static final int MOST_PAGES = 20;

  private final WorkflowServiceStubs server;
  private final String namespace;

  TemporalClient(WorkflowServiceStubs server, String namespace) {
    this.server = server;
    this.namespace = namespace;
  }

  @Override
  public Seen look(UUID executionId) {
    var request =
        DescribeWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setExecution(
                WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(executionId)))
            .build();
    try {
      return seen(stub().describeWorkflowExecution(request).getWorkflowExecutionInfo());
    } catch (StatusRuntimeException e) {
      return isNotFound(e)
          ? new Seen.NotFound()
          : new Seen.Unknown(String.valueOf(e.getStatus().getCode()));
    }
  }

  private static Seen seen(WorkflowExecutionInfo info) {
    return switch (info.getStatus()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED,
          WORKFLOW_EXECUTION_STATUS_FAILED,
          WORKFLOW_EXECUTION_STATUS_CANCELED,
          WORKFLOW_EXECUTION_STATUS_TERMINATED,
          WORKFLOW_EXECUTION_STATUS_TIMED_OUT ->
          new Seen.Closed(
              info.getStatus().name().substring("WORKFLOW_EXECUTION_STATUS_".length()),
              instant(info.getCloseTime()));
      default -> new Seen.Open();
    };
  }

  /** A namespace that is not there says nothing about the workflows that were in it. */
  private static boolean isNotFound(StatusRuntimeException e) {
    return e.getStatus().getCode() == Status.Code.NOT_FOUND
        && !StatusUtils.hasFailure(e, NamespaceNotFoundFailure.class);
  }

  @Override
  public Listing closedSince(Instant since) {
    var ids = new ArrayList<UUID>();
    Instant newest = since;
    ByteString page = ByteString.EMPTY;
    try {
      for (int n = 0; n < MOST_PAGES; n++) {
        var answer = stub().listWorkflowExecutions(listing(since, page));
        for (var closed : answer.getExecutionsList()) {
          executionId(closed).ifPresent(ids::add);
          Instant at = instant(closed.getCloseTime());
          newest = at.isAfter(newest) ? at : newest;
        }
        page = answer.getNextPageToken();
        if (page.isEmpty()) {
          break;
        }
      }
      return new Listing.Closed(ids, newest);
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return new Listing.Unsupported();
      }
      throw e;
    }
  }

  private ListWorkflowExecutionsRequest listing(Instant since, ByteString page) {
    return ListWorkflowExecutionsRequest.newBuilder()
        .setNamespace(namespace)
        .setPageSize(PAGE)
        .setNextPageToken(page)
        .setQuery(
            // An open workflow counts as closed at the end of time, where the store is SQL.
            "CloseTime >= \"%s\" AND ExecutionStatus != \"Running\" AND WorkflowId STARTS_WITH \"%s\""
                .formatted(since, PREFIX))
        .build();
  }

  private static Optional<UUID> executionId(WorkflowExecutionInfo info) {
    try {
      String id = info.getExecution().getWorkflowId();
      return Optional.of(UUID.fromString(id.substring(PREFIX.length())));
    } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
      return Optional.empty();
    }
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }

  private WorkflowServiceBlockingStub stub() {
    return server.blockingStub().withDeadlineAfter(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }
}
