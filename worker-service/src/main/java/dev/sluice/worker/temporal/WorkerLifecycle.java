package dev.sluice.worker.temporal;

import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Starts the worker as soon as Temporal answers, however long that takes, and stops it so that
 * running nodes can finish.
 */
@Component
class WorkerLifecycle implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(WorkerLifecycle.class);
  private static final Duration LAST_WAIT = Duration.ofSeconds(5);

  private final WorkerFactory factory;
  private final WorkerSettings settings;
  private final TemporalSettings temporal;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread connecting =
      Thread.ofVirtual().name("temporal-connect").unstarted(this::connect);
  private volatile boolean running;

  WorkerLifecycle(WorkerFactory factory, WorkerSettings settings, TemporalSettings temporal) {
    this.factory = factory;
    this.settings = settings;
    this.temporal = temporal;
  }

  @Override
  public void start() {
    running = true;
    connecting.start();
  }

  private void connect() {
    try {
      boolean told = false;
      while (!tryStart(!told)) {
        told = true;
        if (stopping.await(settings.connectRetry().toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      log.atInfo()
          .addKeyValue("temporal", temporal.address())
          .addKeyValue("namespace", temporal.namespace())
          .log("worker started");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The SDK asks for the namespace first, and nothing has been started when that fails. */
  private boolean tryStart(boolean tell) {
    try {
      factory.start();
      return true;
    } catch (RuntimeException e) {
      if (stopping.getCount() > 0 && tell) {
        log.atWarn()
            .addKeyValue("temporal", temporal.address())
            .addKeyValue("namespace", temporal.namespace())
            .addKeyValue("error", e.getMessage())
            .log("Temporal does not answer yet, trying on");
      }
      return false;
    }
  }

  /** Whether it takes work. */
  boolean isWorking() {
    return factory.isStarted() && !factory.isShutdown();
  }

  @Override
  public void stop() {
    running = false;
    stopping.countDown();
    try {
      connecting.join(LAST_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Shutting down a factory that never started calls Temporal, and fails when that is away.
    if (factory.isStarted()) {
      shutDown();
    }
  }

  private void shutDown() {
    factory.shutdown();
    factory.awaitTermination(settings.shutdownGrace().toMillis(), TimeUnit.MILLISECONDS);
    if (!factory.isTerminated()) {
      log.atWarn()
          .addKeyValue("grace", settings.shutdownGrace())
          .log("nodes are still at work, stopping them; they are tried again elsewhere if allowed");
      factory.shutdownNow();
      factory.awaitTermination(LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
