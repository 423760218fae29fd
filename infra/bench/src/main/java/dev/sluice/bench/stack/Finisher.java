package dev.sluice.bench.stack;

import io.grpc.StatusRuntimeException;
import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.CompleteWorkflowExecutionCommandAttributes;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A worker that takes every workflow's first task, and completes the workflow when it is told. */
public final class Finisher implements AutoCloseable {
  private static final int POLL_SECONDS = 70;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private final WorkflowServiceStubs temporal;
  private final Map<String, PollWorkflowTaskQueueResponse> tasks = new ConcurrentHashMap<>();
  private final Thread poller;
  private volatile boolean closed;

  public Finisher(String temporalAddress) {
    temporal = Dispatcher.probed(temporalAddress, new StartProbe(false));
    poller = Thread.ofPlatform().name("bench-finisher").daemon().start(this::poll);
  }

  /** Returns when its first task is here, so that completing it is one call. */
  public void awaitTask(String workflowId) {
    long until = System.nanoTime() + PATIENCE;
    while (!tasks.containsKey(workflowId)) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException("no task of " + workflowId + " came");
      }
      LockSupport.parkNanos(100_000);
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

  private void poll() {
    var request =
        PollWorkflowTaskQueueRequest.newBuilder()
            .setNamespace("default")
            .setIdentity("bench")
            .setTaskQueue(TaskQueue.newBuilder().setName(Tables.TASK_QUEUE))
            .build();
    while (!closed) {
      try {
        PollWorkflowTaskQueueResponse task =
            temporal
                .blockingStub()
                .withDeadlineAfter(POLL_SECONDS, TimeUnit.SECONDS)
                .pollWorkflowTaskQueue(request);
        if (!task.getTaskToken().isEmpty()) {
          tasks.put(task.getWorkflowExecution().getWorkflowId(), task);
        }
      } catch (StatusRuntimeException e) {
        if (!closed) {
          LockSupport.parkNanos(
              TimeUnit.MILLISECONDS.toNanos(10)); // nothing to do in all that time
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    temporal.shutdownNow();
    poller.interrupt();
  }
}
