package dev.sluice.dispatcher;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.Freed;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes a {@link Change}: the slots of what has ended are free, and go to the first in line, under
 * the locks of all workspaces concerned and in one transaction.
 */
final class ChangeWriter {
  private static final Logger log = LoggerFactory.getLogger(ChangeWriter.class);

  /** Of those that wait for the same. */
  private static final int UNPARKED_AT_ONCE = 1000;

  private final WorkspaceLock lock;
  private final SettleLedger settleLedger;
  private final FinishLedger finishLedger;
  private final TransactionTemplate transaction;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;

  // Set once by connect, before anything runs.
  private Admission admission;
  private OpenWorkflows openWorkflows;

  @SuppressWarnings("NullAway.Init")
  ChangeWriter(
      WorkspaceLock lock,
      SettleLedger settleLedger,
      FinishLedger finishLedger,
      TransactionTemplate transaction,
      DispatcherMetrics metrics,
      PipelineTraces traces) {
    this.lock = lock;
    this.settleLedger = settleLedger;
    this.finishLedger = finishLedger;
    this.transaction = transaction;
    this.metrics = metrics;
    this.traces = traces;
  }

  void connect(Admission admission, OpenWorkflows openWorkflows) {
    this.admission = admission;
    this.openWorkflows = openWorkflows;
  }

  /** Answers what those who asked have got. */
  List<Given> write(Change change) {
    return (change.isFinishAndAdmit()
            ? admission.handOver(change.closes(), change.asks())
            : Optional.<Given>empty())
        .map(List::of)
        .orElseGet(() -> transaction.execute(status -> writeAll(change)));
  }

  private List<Given> writeAll(Change change) {
    Set<String> existing = lock.lock(change.workspaces());
    traces.locked();
    var freed = new ArrayList<Freed>();
    if (!change.closes().isEmpty()) {
      freed.addAll(finishLedger.close(change.closes()));
    }
    if (!change.unknown().isEmpty()) {
      freed.addAll(freeStrays(change.unknown()));
    }
    if (!change.releases().isEmpty()) {
      List<Freed> given = settleLedger.release(change.releases());
      metrics.zombieWrites(change.releases().size() - given.size());
      freed.addAll(given);
      List<Named> back = given.stream().map(f -> new Named(f.id(), f.workspaceId())).toList();
      if (!back.isEmpty()) {
        var _ = finishLedger.cancelAsked(back); // their slots are free already
      }
    }
    if (!freed.isEmpty()) {
      finishLedger.unpark(freed);
    }
    if (!change.unpark().isEmpty()) {
      finishLedger.unparkAll(change.unpark(), UNPARKED_AT_ONCE);
    }
    List<Given> given =
        change.asks().isEmpty() ? List.of() : admission.claim(change.asks(), existing);
    List<String> parking =
        given.stream().filter(got -> got.parked() > 0).map(Given::workspaceId).toList();
    if (!parking.isEmpty()) {
      finishLedger.passOn(parking);
    }
    return given;
  }

  /** Nobody starts these while we hold their workspaces' lock. */
  private List<Freed> freeStrays(List<Named> unknown) {
    List<UUID> ids = unknown.stream().map(Named::id).toList();
    List<Freed> strays = finishLedger.freeStrays(ids);
    for (Freed stray : strays) {
      log.atWarn()
          .addKeyValue("workspace", stray.workspaceId())
          .addKeyValue("execution", stray.id())
          .log("a slot was held by nothing, it is free again");
    }
    // Those were started for certain: if Temporal still does not know one, it is closed so.
    for (Freed open : finishLedger.open(ids)) {
      openWorkflows.watch(open.id(), open.workspaceId());
      openWorkflows.hint(open.id(), open.workspaceId());
    }
    return strays;
  }
}
