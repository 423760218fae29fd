package dev.sluice.dispatcher;

import dev.sluice.contracts.Signal;
import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.CloseWatcher;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.Freed;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.TakeoverLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.takeover.TakeoverLoop;
import dev.sluice.dispatcher.wake.WakerLoop;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** What comes in from Kafka is passed on to whom it concerns. */
@Component
final class Reception {
  private static final Logger log = LoggerFactory.getLogger(Reception.class);

  /**
   * Instead of a workspace: a plan or the maintenance mode changed, so all of them are concerned.
   */
  private static final String EVERY_WORKSPACE = "*";

  private final Pipeline pipeline;
  private final Admission admission;
  private final StartQueue starts;
  private final CloseWatcher watcher;
  private final WorkflowCanceller canceller;
  private final TakeoverLoop takeover;
  private final WakerLoop waker;
  private final Ownership ownership;
  private final Backlog backlog;
  private final DispatcherMetrics metrics;
  private final TransactionTemplate transaction;
  private final WorkspaceLock lock;
  private final FinishLedger finishLedger;
  private final TakeoverLedger takeoverLedger;

  Reception(
      Pipeline pipeline,
      Admission admission,
      StartQueue starts,
      CloseWatcher watcher,
      WorkflowCanceller canceller,
      TakeoverLoop takeover,
      WakerLoop waker,
      Ownership ownership,
      Backlog backlog,
      DispatcherMetrics metrics,
      TransactionTemplate transaction,
      JdbcTemplate jdbc) {
    this.pipeline = pipeline;
    this.admission = admission;
    this.starts = starts;
    this.watcher = watcher;
    this.canceller = canceller;
    this.takeover = takeover;
    this.waker = waker;
    this.ownership = ownership;
    this.backlog = backlog;
    this.metrics = metrics;
    this.transaction = transaction;
    this.lock = new WorkspaceLock(jdbc);
    this.finishLedger = new FinishLedger(jdbc);
    this.takeoverLedger = new TakeoverLedger(jdbc, ownership.instance());
    takeover.onCancel(this::cancels);
  }

  void accepted(Accepted item) {
    if (item.failed()) {
      metrics.failed(String.valueOf(item.failureCode())).increment();
      log.atWarn()
          .addKeyValue("workspace", item.workspaceId())
          .addKeyValue("definition", item.definitionId())
          .addKeyValue("item", item.id())
          .addKeyValue("reason", item.failureCode())
          .log("request failed at intake");
      return;
    }
    if (item.delayed() || item.expires()) {
      waker.recheck();
    }
    if (!item.delayed() && !item.claimed()) {
      pipeline.arrived(item.workspaceId()); // which passes it on when another dispatcher owns it
    }
  }

  void cancels(List<Named> items) {
    List<Freed> taken =
        transaction.execute(
            status -> {
              var _ = lock.lock(items.stream().map(Named::workspaceId).distinct().toList());
              List<Freed> cancelled = finishLedger.cancel(items);
              if (!cancelled.isEmpty()) {
                finishLedger.unpark(cancelled);
              }
              return cancelled;
            });
    if (taken != null) {
      taken.stream().map(Freed::workspaceId).distinct().forEach(this::tellOwner);
    }
    List<Freed> underWay = finishLedger.askToStop(items);
    // What was never sent is given back, and cancelled with that. One whose start is under way is
    // asked to stop when that is settled.
    var ids = new HashSet<>(underWay.stream().map(Freed::id).toList());
    List<Claim> unsent = starts.recall(claim -> ids.contains(claim.id()));
    pipeline.unsent(unsent);
    unsent.forEach(claim -> ids.remove(claim.id()));
    underWay.stream()
        .filter(item -> ids.contains(item.id()) && !starts.has(item.id()))
        .forEach(item -> canceller.cancel(item.id(), item.workspaceId()));
    if (items.stream().anyMatch(item -> item.terminateAfter() != null)) {
      waker.recheck();
    }
  }

  void signal(Signal signal) {
    switch (signal) {
      case Signal.Finished(var workspaceId, var id) -> watcher.hint(id, workspaceId);
      case Signal.Redrive(var workspaceId, var id) -> takeover.redrive(id);
      case Signal.CapacityChanged(var workspaceId) -> {
        waker.recheck(); // a pause may have an end
        if (workspaceId.equals(EVERY_WORKSPACE)) {
          takeover.sweepSoon();
        } else {
          backlog.forget(workspaceId);
          pipeline.limitsChanged(workspaceId);
        }
      }
      case Signal.Retry(var workspaceId, var id, var newId, var reason) -> {
        boolean again = takeoverLedger.retry(id, workspaceId, newId);
        log.atInfo()
            .addKeyValue("workspace", workspaceId)
            .addKeyValue("item", id)
            .addKeyValue("again", again)
            .log("retry by hand");
        pipeline.touch(workspaceId);
      }
    }
  }

  void gained(List<Integer> partitions) {
    ownership.gained(partitions);
    takeover.takeOverSoon();
    log.atInfo().addKeyValue("partitions", partitions).log("partitions assigned");
  }

  /** The new owner takes over what we have not sent yet; what is under way settles here. */
  void lost(List<Integer> partitions) {
    ownership.lost(partitions);
    backlog.forgetAll();
    var lost = Set.copyOf(partitions);
    Predicate<String> theirs = workspace -> lost.contains(ownership.homeOf(workspace));
    var _ = starts.abandon(theirs);
    admission.forget(theirs);
    watcher.forgetAll(theirs);
    log.atInfo().addKeyValue("partitions", partitions).log("partitions revoked");
  }

  private void tellOwner(String workspaceId) {
    pipeline.touch(workspaceId);
  }
}
