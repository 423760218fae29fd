package dev.sluice.bench.stack;

import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.CompleteWorkflowExecutionCommandAttributes;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A worker that completes workflows when it is told to. It asks for their first tasks only when it
 * needs one: a worker that listens all the time gets its task in the midst of the start that is
 * measured, which raw starts are spared, too.
 */
public final class Finisher implements AutoCloseable {
  private static final int POLL_SECONDS = 30;

  private static final PollWorkflowTaskQueueRequest POLL =
      PollWorkflowTaskQueueRequest.newBuilder()
          .setNamespace("default")
          .setIdentity("bench")
          .setTaskQueue(TaskQueue.newBuilder().setName(Tables.TASK_QUEUE))
          .build();

  private final WorkflowServiceStubs temporal;
  private final Map<String, PollWorkflowTaskQueueResponse> tasks = new HashMap<>();

  public Finisher(String temporalAddress) {
    temporal = Dispatcher.probed(temporalAddress, new StartProbe(false));
  }

  /** Returns when its first task is here, so that completing it is one call. */
  public void awaitTask(String workflowId) {
    while (!tasks.containsKey(workflowId)) {
      PollWorkflowTaskQueueResponse task =
          temporal
              .blockingStub()
              .withDeadlineAfter(POLL_SECONDS, TimeUnit.SECONDS)
              .pollWorkflowTaskQueue(POLL);
      tasks.put(task.getWorkflowExecution().getWorkflowId(), task);
    }
  }

  public void complete(String workflowId) {
    PollWorkflowTaskQueueResponse task = tasks.remove(workflowId);
    if (task == null) {
      throw new IllegalStateException("there is no task of " + workflowId);
    }
    var _ =
        temporal
            .blockingStub()
            .respondWorkflowTaskCompleted(
                RespondWorkflowTaskCompletedRequest.newBuilder()
                    .setNamespace("default")
                    .setIdentity("bench")
                    .setTaskToken(task.getTaskToken())
                    .addCommands(
                        Command.newBuilder()
                            .setCommandType(CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION)
                            .setCompleteWorkflowExecutionCommandAttributes(
                                CompleteWorkflowExecutionCommandAttributes.getDefaultInstance()))
                    .build());
  }

  @Override
  public void close() {
    temporal.shutdownNow();
  }
}
