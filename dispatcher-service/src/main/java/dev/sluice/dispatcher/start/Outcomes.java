package dev.sluice.dispatcher.start;

import dev.sluice.contracts.FailureCode;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.errordetails.v1.WorkflowExecutionAlreadyStartedFailure;
import io.temporal.serviceclient.StatusUtils;
import java.util.Locale;

/**
 * The one place where what Temporal says becomes an outcome. The table is in docs/guarantees.md.
 */
final class Outcomes {
  private Outcomes() {}

  static StartOutcome of(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    String message = status.getDescription() == null ? "" : status.getDescription();
    String said = status.getCode() + (message.isEmpty() ? "" : ": " + message);
    return switch (status.getCode()) {
      case ALREADY_EXISTS -> new StartOutcome.AlreadyStarted(runId(failure));
      case INVALID_ARGUMENT, OUT_OF_RANGE -> rejected(message);
      // Nothing the item could do about any of these, and nothing was started.
      case UNAVAILABLE,
          RESOURCE_EXHAUSTED,
          NOT_FOUND,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          UNIMPLEMENTED ->
          new StartOutcome.Outage(said);
      case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, DATA_LOSS ->
          new StartOutcome.Unknown(said);
    };
  }

  private static StartOutcome rejected(String message) {
    boolean size = message.toLowerCase(Locale.ROOT).contains("size limit");
    return size
        ? new StartOutcome.Rejected(
            FailureCode.PAYLOAD_TOO_LARGE,
            "Temporal refused the workflow for its size, make the input smaller: " + message)
        : new StartOutcome.Rejected(
            FailureCode.START_REJECTED,
            "Temporal refused to start the workflow, check type, task queue and ids: " + message);
  }

  private static String runId(Throwable failure) {
    if (failure instanceof StatusRuntimeException e) {
      var detail = StatusUtils.getFailure(e, WorkflowExecutionAlreadyStartedFailure.class);
      if (detail != null) {
        return detail.getRunId();
      }
    }
    return "";
  }
}
