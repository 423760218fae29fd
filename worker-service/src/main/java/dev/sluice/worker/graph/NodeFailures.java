package dev.sluice.worker.graph;

import dev.sluice.contracts.graph.Graph;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import java.util.Locale;

/** Says in one sentence which node ended the workflow, and why. */
final class NodeFailures {
  private static final String NODE_FAILED = "NodeFailed";
  private static final String BAD_ARGUMENT = "BadArgument";

  private NodeFailures() {}

  static ApplicationFailure of(Graph.Node node, RuntimeException failure) {
    String message =
        "node %s failed%s: %s".formatted(node.id(), attempts(node, failure), reason(failure));
    return ApplicationFailure.newNonRetryableFailureWithCause(message, NODE_FAILED, failure);
  }

  static ApplicationFailure badArgument(String message) {
    return ApplicationFailure.newNonRetryableFailure(
        "the argument is not a graph to run: " + message, BAD_ARGUMENT);
  }

  private static String attempts(Graph.Node node, RuntimeException failure) {
    int attempts = node.retryOrDefault().maxAttempts();
    return attempts > 1
            && failure instanceof ActivityFailure activity
            && activity.getRetryState() == RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED
        ? " after " + attempts + " attempts"
        : "";
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case ActivityFailure activity when activity.getCause() != null -> reason(activity.getCause());
      case ApplicationFailure application ->
          application.getOriginalMessage() == null
              ? application.getType()
              : application.getOriginalMessage();
      case TimeoutFailure timeout ->
          "timed out ("
              + timeout
                  .getTimeoutType()
                  .name()
                  .replace("TIMEOUT_TYPE_", "")
                  .toLowerCase(Locale.ROOT)
                  .replace('_', ' ')
              + ")";
      default -> String.valueOf(failure.getMessage());
    };
  }
}
