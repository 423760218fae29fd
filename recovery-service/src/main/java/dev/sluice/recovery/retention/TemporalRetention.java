package dev.sluice.recovery.retention;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How long Temporal itself remembers a closed workflow. */
final class TemporalRetention implements Supplier<TemporalRetention.Answer> {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  sealed interface Answer {
    record Known(Duration keeps) implements Answer {}

    /** This server has no such thing. */
    record None() implements Answer {}

    record Unreachable(String why) implements Answer {}
  }

  private final WorkflowServiceStubs server;
  private final String namespace;

  TemporalRetention(WorkflowServiceStubs server, String namespace) {
    this.server = server;
    this.namespace = namespace;
  }

  @Override
  public Answer get() {
    var request = DescribeNamespaceRequest.newBuilder().setNamespace(namespace).build();
    try {
      var answer =
          server
              .blockingStub()
              .withDeadlineAfter(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
              .describeNamespace(request);
      return answer.getConfig().hasWorkflowExecutionRetentionTtl()
          ? new Answer.Known(
              Duration.ofSeconds(
                  answer.getConfig().getWorkflowExecutionRetentionTtl().getSeconds()))
          : new Answer.None();
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
          ? new Answer.None()
          : new Answer.Unreachable(String.valueOf(e.getStatus().getCode()));
    }
  }
}
