package dev.sluice.bench.baseline;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.RegisteredAttributes;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * {@code StartWorkflowExecution} and nothing else: what Temporal gives when nobody stands before
 * it.
 */
public final class RawStarts implements AutoCloseable {
  private static final int CALL_SECONDS = 30;

  /** No more than what Temporal needs to start it. */
  private static final StartWorkflowExecutionRequest PLAIN =
      StartWorkflowExecutionRequest.newBuilder()
          .setNamespace("default")
          .setIdentity("bench")
          .setWorkflowType(WorkflowType.newBuilder().setName("Report"))
          .setTaskQueue(TaskQueue.newBuilder().setName("reports"))
          .setInput(
              Payloads.newBuilder()
                  .addPayloads(
                      Payload.newBuilder()
                          .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                          .setData(ByteString.copyFromUtf8(Requests.INPUT))))
          .build();

  private final StartProbe probe;
  private final WorkflowServiceStubs temporal;
  private final StartWorkflowExecutionRequest like;

  private RawStarts(
      StartProbe probe, WorkflowServiceStubs temporal, StartWorkflowExecutionRequest like) {
    this.probe = probe;
    this.temporal = temporal;
    this.like = like;
  }

  /** Over a connection as the SDK makes it, which is what everybody has. */
  public static RawStarts with(String temporalAddress) {
    var probe = new StartProbe(false);
    return new RawStarts(probe, connection(temporalAddress, probe), PLAIN);
  }

  /** Over a connection like the dispatcher's: what it is for somebody who tunes his own. */
  public static RawStarts tuned(String temporalAddress) {
    var probe = new StartProbe(false);
    return new RawStarts(probe, Dispatcher.probed(temporalAddress, probe), PLAIN);
  }

  /**
   * Over a connection as the SDK makes it, and asking for as much as a dispatcher does: what it is
   * for somebody who wants to find his workflows by workspace and definition, too.
   */
  public static RawStarts alike(String temporalAddress, StartWorkflowExecutionRequest like) {
    var probe = new StartProbe(false);
    WorkflowServiceStubs temporal = connection(temporalAddress, probe);
    var _ = RegisteredAttributes.at(temporal);
    return new RawStarts(probe, temporal, like);
  }

  private static WorkflowServiceStubs connection(String temporalAddress, StartProbe probe) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder()
            .setTarget(temporalAddress)
            .setGrpcClientInterceptors(List.of(probe))
            .build());
  }

  public StartProbe probe() {
    return probe;
  }

  private StartWorkflowExecutionRequest request(String workflowId) {
    return like.toBuilder().setWorkflowId(workflowId).setRequestId(workflowId).build();
  }

  public static String freshId() {
    return "execution-" + UUID.randomUUID();
  }

  /** Starts so many, at most so many at a time; answers how many a second. */
  public double rate(int count, int concurrency) throws InterruptedException {
    var permits = new Semaphore(concurrency);
    long before = probe.started();
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      permits.acquire();
      send(freshId(), permits::release);
    }
    permits.acquire(concurrency);
    double seconds = (System.nanoTime() - began) / 1e9;
    if (probe.started() - before < count) {
      throw new IllegalStateException(
          "%d of %d raw starts failed, so there is no figure"
              .formatted(count - (probe.started() - before), count));
    }
    return count / seconds;
  }

  /** Does not wait. */
  public void send(String workflowId, Runnable afterwards) {
    temporal
        .futureStub()
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
        .startWorkflowExecution(request(workflowId))
        .addListener(afterwards, MoreExecutors.directExecutor());
  }

  /** One, and waits for it. */
  public void startAndWait(String workflowId) {
    var _ =
        temporal
            .blockingStub()
            .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
            .startWorkflowExecution(request(workflowId));
  }

  @Override
  public void close() {
    temporal.shutdownNow();
  }
}
