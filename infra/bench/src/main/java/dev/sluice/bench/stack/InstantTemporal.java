package dev.sluice.bench.stack;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Answers every start at once and keeps nothing: what {@link StartProbe} does for a dispatcher in
 * this JVM, for dispatchers that are processes.
 */
public final class InstantTemporal implements AutoCloseable {
  private final Server server;
  private volatile CountDownLatch left = new CountDownLatch(0);

  public InstantTemporal() {
    try {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .directExecutor()
              .addService(new Answers())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** To be called before they are asked for. */
  public void expect(int starts) {
    left = new CountDownLatch(starts);
  }

  /** Waits until all that were expected are started. */
  public void await(Duration longest) throws InterruptedException {
    if (!left.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("%d were not started in time".formatted(left.getCount()));
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class Answers extends WorkflowServiceGrpc.WorkflowServiceImplBase {
    @Override
    public void startWorkflowExecution(
        StartWorkflowExecutionRequest request,
        StreamObserver<StartWorkflowExecutionResponse> answer) {
      left.countDown();
      answer.onNext(StartWorkflowExecutionResponse.newBuilder().setRunId("run").build());
      answer.onCompleted();
    }

    @Override
    public void getSystemInfo(
        GetSystemInfoRequest request, StreamObserver<GetSystemInfoResponse> answer) {
      answer.onNext(GetSystemInfoResponse.newBuilder().setServerVersion("none").build());
      answer.onCompleted();
    }
  }
}
