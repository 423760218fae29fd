package dev.sluice.dispatcher.takeover;

import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.owner.Ownership;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Runs takeovers one after the other, off the consumer's thread, and again until PostgreSQL
 * answers.
 */
public final class TakeoverLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TakeoverLoop.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Takeover takeover;
  private final Ownership ownership;
  private final ScheduledExecutorService thread;

  /** Of the one thread. */
  private boolean comesAgain;

  public TakeoverLoop(Takeover takeover, Ownership ownership, Duration sweepEvery) {
    this(
        takeover,
        ownership,
        sweepEvery,
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sluice-takeover").daemon().factory()));
  }

  /** On a thread of the caller's; it must run one task at a time. */
  public TakeoverLoop(
      Takeover takeover,
      Ownership ownership,
      Duration sweepEvery,
      ScheduledExecutorService thread) {
    this.takeover = takeover;
    this.ownership = ownership;
    this.thread = thread;
    var _ =
        thread.scheduleWithFixedDelay(
            this::sweep, sweepEvery.toMillis(), sweepEvery.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Partitions were assigned to us. */
  public void takeOverSoon() {
    thread.execute(this::takeOver);
  }

  /**
   * A write of ours that may have claimed something in these workspaces got no answer. What it
   * claimed is found and started before anything else there, or a later request would be first.
   */
  public void doubt(Collection<String> workspaceIds) {
    ownership.doubt(workspaceIds);
    takeOverSoon();
  }

  /** See {@link Takeover#onCancel}. */
  public void onCancel(Consumer<List<Named>> cancels) {
    takeover.onCancel(cancels);
  }

  public void sweepSoon() {
    thread.execute(this::sweep);
  }

  public void redrive(UUID id) {
    thread.execute(
        () -> {
          try {
            takeover.redrive(id);
          } catch (DataAccessException e) {
            log.atWarn()
                .addKeyValue("item", id)
                .setCause(e)
                .log("redrive failed; it will be asked for again");
            takeOver();
          }
        });
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private void takeOver() {
    try {
      takeover.runOnce();
    } catch (DataAccessException e) {
      log.atWarn().setCause(e).log("takeover waits for PostgreSQL");
      if (!comesAgain) {
        comesAgain = true;
        var _ = thread.schedule(this::takeOverAgain, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void takeOverAgain() {
    comesAgain = false;
    takeOver();
  }

  private void sweep() {
    try {
      takeover.sweep();
    } catch (DataAccessException | TransactionException e) {
      log.atWarn().setCause(e).log("sweep waits for PostgreSQL");
      takeOver();
    }
  }
}
