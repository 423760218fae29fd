package dev.sluice.dispatcher.takeover;

import dev.sluice.dispatcher.Pipeline;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.TakeoverLedger;
import dev.sluice.dispatcher.ledger.TakeoverLedger.Held;
import dev.sluice.dispatcher.ledger.TakeoverLedger.Open;
import dev.sluice.dispatcher.ledger.TakeoverLedger.Retaken;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.start.StartQueue;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * A new owner makes what it finds its own: claims of a dispatcher that died are started again under
 * the same workflow id, open workflows are listened to, and waiting work is admitted. A crash costs
 * a rebalance, not a lease.
 */
public final class Takeover {
  private static final Logger log = LoggerFactory.getLogger(Takeover.class);
  private static final int CANCELLED_AT_ONCE = 1000;

  private final TakeoverLedger ledger;
  private final Ownership ownership;
  private final Pipeline pipeline;
  private final StartQueue starts;
  private final OpenWorkflows openWorkflows;
  private final WorkflowCanceller canceller;
  private final DispatcherMetrics metrics;
  private Consumer<List<Named>> cancels = items -> {};

  public Takeover(
      TakeoverLedger ledger,
      Ownership ownership,
      Pipeline pipeline,
      StartQueue starts,
      OpenWorkflows openWorkflows,
      WorkflowCanceller canceller,
      DispatcherMetrics metrics) {
    this.ledger = ledger;
    this.ownership = ownership;
    this.pipeline = pipeline;
    this.starts = starts;
    this.openWorkflows = openWorkflows;
    this.canceller = canceller;
    this.metrics = metrics;
  }

  /** Set once, before anything runs: who cancels is made after this. */
  public void onCancel(Consumer<List<Named>> cancels) {
    this.cancels = cancels;
  }

  /** Takes over what belongs to the partitions that wait for it. */
  public void runOnce() {
    Map<Integer, Integer> terms = ownership.toTakeOver();
    if (terms.isEmpty()) {
      return; // lost again before it was our turn, or done along with others
    }
    Predicate<String> ours = w -> terms.containsKey(ownership.homeOf(w)) && ownership.owns(w);
    List<Held> stranded =
        ledger.claimed().stream()
            .filter(held -> ours.test(held.workspaceId()) && isNotOurs(held))
            .toList();
    if (!stranded.isEmpty()) {
      resume(ledger.retake(stranded, false));
    }
    for (Open open : watchOpen(ours)) {
      if (open.cancelRequested()) {
        canceller.cancel(open.id(), open.workspaceId());
      }
    }
    ownership.takenOver(terms);
    lookEverywhere(ours);
  }

  /**
   * The safety net: for signals that got lost, limits changed behind our back, claims that nobody
   * is at work on, and workflows that somebody started who lost the workspace before they closed.
   */
  public void sweep() {
    List<Held> quiet =
        ledger.quietClaims().stream()
            .filter(held -> ownership.mayAdmit(held.workspaceId()) && isNotOurs(held))
            .toList();
    if (!quiet.isEmpty()) {
      resume(retakeAdmitted(quiet));
    }
    var _ = watchOpen(ownership::owns);
    pipeline.recall();
    endByMaintenance();
    lookEverywhere(ownership::owns);
  }

  /** Any dispatcher may: the rows are guarded, and a workflow asked twice is asked once. */
  private void endByMaintenance() {
    List<Named> items = ledger.endedByMaintenance(CANCELLED_AT_ONCE);
    while (!items.isEmpty()) {
      cancels.accept(items);
      log.atInfo().addKeyValue("items", items.size()).log("cancelled for maintenance");
      List<Named> next = ledger.endedByMaintenance(CANCELLED_AT_ONCE);
      items = next.equals(items) ? List.of() : next;
    }
  }

  /**
   * A claim is older than its lease. Unless we are at work on it, ask Temporal and go on, with all
   * claims of the workspace, or a later request could start before an earlier one. Who does not own
   * the workspace leaves it to the owner.
   */
  public void redrive(UUID id) {
    List<Held> held =
        ledger.claimedWith(id).stream()
            .filter(claim -> ownership.mayAdmit(claim.workspaceId()) && isNotOurs(claim))
            .toList();
    if (!held.isEmpty()) {
      resume(retakeAdmitted(held));
    }
  }

  /** While they are ours and nobody is at work on them, nothing else may be admitted there. */
  private List<Retaken> retakeAdmitted(List<Held> held) {
    try {
      return ledger.retake(held, true);
    } catch (DataAccessException e) {
      ownership.doubt(held.stream().map(Held::workspaceId).toList());
      throw e;
    }
  }

  private boolean isNotOurs(Held held) {
    return !starts.holds(held.id(), held.token());
  }

  private List<Open> watchOpen(Predicate<String> ours) {
    List<Open> open =
        ledger.open().stream().filter(workflow -> ours.test(workflow.workspaceId())).toList();
    open.forEach(workflow -> openWorkflows.watch(workflow.id(), workflow.workspaceId()));
    return open;
  }

  private void lookEverywhere(Predicate<String> ours) {
    ledger.parkedWorkspaces().stream().filter(ours).forEach(pipeline::limitsChanged);
    ledger.waitingWorkspaces().stream().filter(ours).forEach(pipeline::touch);
  }

  private void resume(List<Retaken> retaken) {
    for (Retaken item : retaken) {
      if (item.executionWasMissing()) {
        log.atWarn()
            .addKeyValue("workspace", item.claim().workspaceId())
            .addKeyValue("execution", item.claim().id())
            .log("execution missing on retry, made again");
      }
    }
    if (!retaken.isEmpty()) {
      metrics.takenOver(retaken.size());
      log.atInfo().addKeyValue("items", retaken.size()).log("recovered stale claims");
      starts.submit(retaken.stream().map(Retaken::claim).toList());
    }
  }
}
