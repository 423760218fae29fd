package dev.sluice.chaos.judge;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.sluice.chaos.load.Work;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.filter.v1.StartTimeFilter;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListClosedWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListOpenWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What Temporal itself says was run. */
public final class Histories {
  private static final String NAMESPACE = "default";
  private static final int PAGE = 1000;

  private final WorkflowServiceStubs temporal;
  private final boolean real;

  /**
   * @param real false for the in-memory server, which knows older ways of listing only
   */
  public Histories(WorkflowServiceStubs temporal, boolean real) {
    this.temporal = temporal;
    this.real = real;
  }

  public List<Run> all() {
    if (real) {
      return pages(this::listed);
    }
    var runs = new ArrayList<>(pages(this::listedClosed));
    runs.addAll(pages(this::listedOpen));
    return runs;
  }

  /** Listings lag behind; this does not. */
  public Optional<Run> find(String workflowId) {
    try {
      var request =
          DescribeWorkflowExecutionRequest.newBuilder()
              .setNamespace(NAMESPACE)
              .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
              .build();
      var answer = temporal.blockingStub().describeWorkflowExecution(request);
      return Optional.of(run(answer.getWorkflowExecutionInfo()));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private record Page(List<WorkflowExecutionInfo> runs, ByteString next) {}

  private static List<Run> pages(Function<ByteString, Page> list) {
    var runs = new ArrayList<Run>();
    ByteString next = ByteString.EMPTY;
    do {
      Page page = list.apply(next);
      page.runs().forEach(info -> runs.add(run(info)));
      next = page.next();
    } while (!next.isEmpty());
    return runs;
  }

  private Page listed(ByteString from) {
    var request =
        ListWorkflowExecutionsRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setPageSize(PAGE)
            .setQuery("WorkflowType = '" + Work.TYPE + "'")
            .setNextPageToken(from)
            .build();
    var answer = temporal.blockingStub().listWorkflowExecutions(request);
    return new Page(answer.getExecutionsList(), answer.getNextPageToken());
  }

  private Page listedClosed(ByteString from) {
    var request =
        ListClosedWorkflowExecutionsRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setMaximumPageSize(PAGE)
            .setStartTimeFilter(StartTimeFilter.getDefaultInstance())
            .setNextPageToken(from)
            .build();
    var answer = temporal.blockingStub().listClosedWorkflowExecutions(request);
    return new Page(answer.getExecutionsList(), answer.getNextPageToken());
  }

  private Page listedOpen(ByteString from) {
    var request =
        ListOpenWorkflowExecutionsRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setMaximumPageSize(PAGE)
            .setStartTimeFilter(StartTimeFilter.getDefaultInstance())
            .setNextPageToken(from)
            .build();
    var answer = temporal.blockingStub().listOpenWorkflowExecutions(request);
    return new Page(answer.getExecutionsList(), answer.getNextPageToken());
  }

  private static Run run(WorkflowExecutionInfo info) {
    return new Run(
        info.getExecution().getWorkflowId(),
        info.getExecution().getRunId(),
        instant(info.getStartTime()),
        info.hasCloseTime() ? instant(info.getCloseTime()) : null);
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }
}
