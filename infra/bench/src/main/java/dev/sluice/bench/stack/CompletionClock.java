package dev.sluice.bench.stack;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;

/**
 * When Temporal last got a worker's call that completes a workflow, which it closes next. What the
 * call takes to get there is the worker's matter.
 */
public final class CompletionClock implements ServerInterceptor {
  private static final String COMPLETED =
      WorkflowServiceGrpc.getRespondWorkflowTaskCompletedMethod().getFullMethodName();

  private volatile long lastAt;

  /** By {@link System#nanoTime()}. */
  public long lastAt() {
    return lastAt;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServerCall.Listener<Q> listener = next.startCall(call, headers);
    if (!COMPLETED.equals(call.getMethodDescriptor().getFullMethodName())) {
      return listener;
    }
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onHalfClose() {
        lastAt = System.nanoTime(); // all of the request is here; this call carries it out
        super.onHalfClose();
      }
    };
  }
}
