package dev.sluice.dispatcher;

import dev.sluice.dispatcher.start.StartQueue;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Calls the pipeline, on a thread of its own, until it is told to stop. */
final class PipelineLoop implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(PipelineLoop.class);
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** How long what is to be written may gather while Temporal has plenty to do. */
  private static final Duration GATHER = Duration.ofMillis(20);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(8);

  private final Pipeline pipeline;
  private final StartQueue starts;
  private final Thread thread;
  private volatile boolean running;

  PipelineLoop(Pipeline pipeline, StartQueue starts) {
    this.pipeline = pipeline;
    this.starts = starts;
    this.thread = Thread.ofPlatform().name("sluice-pipeline").unstarted(this::loop);
  }

  @Override
  public void start() {
    running = true;
    thread.start();
  }

  /** What was not sent is given back, and what is under way is settled, before this returns. */
  @Override
  public void stop() {
    pipeline.unsent(starts.stop());
    running = false;
    pipeline.wakeUp();
    try {
      if (!thread.join(LONGEST_DRAIN)) {
        thread.interrupt();
        log.atWarn()
            .addKeyValue("items", starts.size())
            .log(
                "stopped with starts under way; whoever owns their workspaces next takes them"
                    + " over");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It runs for as long as the service does, unless the JVM itself failed it. */
  boolean hasDied() {
    return running && !thread.isAlive();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Starts before the consumer and stops after it. */
  @Override
  public int getPhase() {
    return Phases.PIPELINE;
  }

  private void loop() {
    Duration pause = FIRST_PAUSE;
    while (running || starts.size() > 0 || pipeline.hasWork()) {
      try {
        if (pipeline.runOnce().isNothing()) {
          pipeline.awaitWork(IDLE);
        }
        starts.awaitRoom(GATHER);
        pause = FIRST_PAUSE;
      } catch (InterruptedException e) {
        return; // it took too long to drain
      } catch (DataAccessException | TransactionException e) {
        log.atWarn().setCause(e).log("PostgreSQL does not answer; what was to be written is kept");
        pause = rest(pause);
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("the pipeline failed; what was to be done is tried again");
        pause = rest(pause);
      }
    }
  }

  private static Duration rest(Duration pause) {
    LockSupport.parkNanos(pause.toNanos());
    Duration next = pause.multipliedBy(2);
    return next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
  }
}
