package dev.sluice.worker.node;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityWorkerShutdownException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Tells Temporal that a node is still at work, and the node when it should stop: a cancellation
 * comes as the answer to a heartbeat. Handlers need to do neither.
 */
@Component
public class Heartbeats implements DisposableBean {
  /** So a cancellation is known after about as long; short nodes cost no call at all. */
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("node-heartbeats").daemon().factory());

  /** Each beat may wait for the network, so it is sent from a thread of its own. */
  private final ExecutorService senders =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("node-heartbeat").factory());

  Watch watch(ActivityExecutionContext activity) {
    var watch = new Watch(activity, Thread.currentThread());
    watch.beats =
        timer.scheduleAtFixedRate(
            () -> senders.execute(watch::beat),
            INTERVAL.toMillis(),
            INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
    return watch;
  }

  @Override
  public void destroy() {
    timer.shutdownNow();
    senders.shutdownNow();
  }

  /** Over one try of one node. */
  static final class Watch implements AutoCloseable {
    private final ActivityExecutionContext activity;
    private final Thread worker;
    private @Nullable Future<?> beats;
    private @Nullable ActivityCompletionException cancellation;
    private boolean closed;

    private Watch(ActivityExecutionContext activity, Thread worker) {
      this.activity = activity;
      this.worker = worker;
    }

    private void beat() {
      try {
        activity.heartbeat(null);
      } catch (ActivityWorkerShutdownException shuttingDown) {
        // The node may finish in the time of grace.
      } catch (ActivityCompletionException stop) {
        interrupt(stop);
      }
    }

    private synchronized void interrupt(ActivityCompletionException stop) {
      if (!closed && cancellation == null) {
        cancellation = stop;
        worker.interrupt();
      }
    }

    synchronized boolean isCancelled() {
      return cancellation != null;
    }

    synchronized void throwIfCancelled() {
      if (cancellation != null) {
        throw cancellation;
      }
    }

    /** From here on nothing interrupts the thread, which goes on to other work. */
    @Override
    public synchronized void close() {
      closed = true;
      if (beats != null) {
        beats.cancel(false);
      }
      if (cancellation != null) {
        Thread.interrupted();
      }
    }
  }
}
