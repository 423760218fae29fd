package dev.sluice.dispatcher;

import dev.sluice.dispatcher.start.StartQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Calls the pipeline and the settling, on a thread each, until it is told to stop. */
final class PipelineLoop implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(PipelineLoop.class);
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** How long what is to be written may gather while Temporal has plenty to do. */
  private static final Duration GATHER = Duration.ofMillis(20);

  /**
   * How long what was started may gather before it is written back, while more is under way or was
   * a moment ago: one by itself is written at once, and a stream of them not one by one, beside the
   * next of them that waits for its slot.
   */
  private static final Duration SETTLE_GATHER = Duration.ofMillis(10);

  private static final Duration LONGEST_SETTLE_GATHER = Duration.ofMillis(100);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private static final Duration LONGEST_DRAIN = Duration.ofSeconds(8);

  private final Pipeline pipeline;
  private final Settling settling;
  private final StartQueue starts;
  private final Duration longestDrain;
  private final List<Thread> threads;
  private volatile boolean running;

  /** By the thread that settles, and for no other. */
  private long settledAt = System.nanoTime() - SETTLE_GATHER.toNanos();

  /** A look at what there is to do. */
  private interface Turn {
    void run() throws InterruptedException;
  }

  PipelineLoop(Pipeline pipeline, Settling settling, StartQueue starts) {
    this(pipeline, settling, starts, LONGEST_DRAIN);
  }

  PipelineLoop(Pipeline pipeline, Settling settling, StartQueue starts, Duration longestDrain) {
    this.longestDrain = longestDrain;
    this.pipeline = pipeline;
    this.settling = settling;
    this.starts = starts;
    this.threads =
        List.of(
            Thread.ofPlatform()
                .name("sluice-pipeline")
                .unstarted(() -> loop(this::admit, pipeline::hasWork)),
            Thread.ofPlatform()
                .name("sluice-settle")
                .unstarted(() -> loop(this::settle, () -> !settling.isEmpty())));
  }

  @Override
  public void start() {
    running = true;
    threads.forEach(Thread::start);
  }

  /** What was not sent is given back, and what is under way is settled, before this returns. */
  @Override
  public void stop() {
    pipeline.unsent(starts.stop());
    running = false;
    pipeline.wakeUp();
    settling.wakeUp();
    try {
      if (!haveEnded(System.nanoTime() + longestDrain.toNanos())) {
        threads.forEach(Thread::interrupt);
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

  /** What {@link #stop} came to; whoever was interrupted may take a moment. */
  boolean haveEnded(Duration within) throws InterruptedException {
    return haveEnded(System.nanoTime() + within.toNanos());
  }

  private boolean haveEnded(long deadline) throws InterruptedException {
    for (Thread thread : threads) {
      if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
        return false;
      }
    }
    return true;
  }

  /** They run for as long as the service does, unless the JVM itself failed them. */
  boolean hasDied() {
    return running && !threads.stream().allMatch(Thread::isAlive);
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

  private void admit() throws InterruptedException {
    if (pipeline.runOnce().isNothing()) {
      pipeline.awaitWork(IDLE);
    }
    starts.awaitRoom(GATHER);
  }

  private void settle() throws InterruptedException {
    if (settling.isEmpty()) {
      settling.awaitWork(IDLE);
    }
    boolean justWritten = System.nanoTime() - settledAt < SETTLE_GATHER.toNanos();
    if (starts.size() > 0 || (justWritten && running)) {
      Thread.sleep(SETTLE_GATHER);
      starts.awaitRoom(LONGEST_SETTLE_GATHER);
    }
    if (settling.runOnce() > 0) {
      settledAt = System.nanoTime();
    }
  }

  private void loop(Turn turn, BooleanSupplier hasWork) {
    Duration pause = FIRST_PAUSE;
    // Who fails again and again never waits for anything that would tell of the interrupt.
    while (!Thread.currentThread().isInterrupted()
        && (running || starts.size() > 0 || hasWork.getAsBoolean())) {
      try {
        turn.run();
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
