package dev.sluice.bench.stack;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionResponse;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * On the client's side of Temporal: sees every start answered, the dispatcher's and those of the
 * baseline alike, so that both are measured at the same place. Can also answer by itself at once,
 * for what a queue costs without Temporal.
 */
public final class StartProbe implements ClientInterceptor {
  private static final String START = "StartWorkflowExecution";

  private volatile boolean answersItself;
  private final AtomicLong started = new AtomicLong();
  private volatile OnStart listener = (workflowId, nanos) -> {};
  private volatile @Nullable StartWorkflowExecutionRequest last;

  /** Called from gRPC's threads. */
  public interface OnStart {
    void started(String workflowId, long nanos);
  }

  public StartProbe(boolean answersItself) {
    this.answersItself = answersItself;
  }

  /** From now on Temporal has the word. */
  public void passOn() {
    answersItself = false;
  }

  public void listen(OnStart to) {
    listener = to;
  }

  public long started() {
    return started.get();
  }

  /** What was asked for last. */
  public StartWorkflowExecutionRequest last() {
    return Objects.requireNonNull(last, "nothing was started yet");
  }

  /** Whether so many have been started before the time is up. */
  public boolean awaitStarted(long total, long deadlineNanos) {
    while (started.get() < total) {
      if (System.nanoTime() - deadlineNanos > 0) {
        return false;
      }
      LockSupport.parkNanos(500_000);
    }
    return true;
  }

  @Override
  public <A, B> ClientCall<A, B> interceptCall(
      MethodDescriptor<A, B> method, CallOptions options, Channel next) {
    if (!START.equals(method.getBareMethodName())) {
      return next.newCall(method, options);
    }
    return answersItself ? new AnsweredCall<>() : new WatchedCall<>(next.newCall(method, options));
  }

  private void answered(Object message) {
    long now = System.nanoTime();
    var request = (StartWorkflowExecutionRequest) message;
    last = request;
    listener.started(request.getWorkflowId(), now);
    started.incrementAndGet();
  }

  private final class WatchedCall<A, B> extends SimpleForwardingClientCall<A, B> {
    private @Nullable A request;

    WatchedCall(ClientCall<A, B> call) {
      super(call);
    }

    @Override
    public void sendMessage(A message) {
      request = message;
      super.sendMessage(message);
    }

    @Override
    public void start(Listener<B> results, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(results) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              if (status.isOk() && request != null) {
                answered(request);
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }

  private final class AnsweredCall<A, B> extends ClientCall<A, B> {
    private @Nullable Listener<B> results;

    @Override
    public void start(Listener<B> to, Metadata headers) {
      results = to;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    @SuppressWarnings("unchecked")
    public void sendMessage(A message) {
      answered(message);
      var answer = StartWorkflowExecutionResponse.newBuilder().setRunId("run").build();
      if (results != null) {
        results.onMessage((B) answer);
        results.onClose(Status.OK, new Metadata());
      }
    }
  }
}
