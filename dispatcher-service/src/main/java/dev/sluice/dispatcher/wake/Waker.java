package dev.sluice.dispatcher.wake;

import dev.sluice.dispatcher.Pipeline;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.Freed;
import dev.sluice.dispatcher.ledger.WakeLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What becomes due: a notBefore, a back-off, an expiresAt, the end of a pause or of the time that a
 * workflow has to stop. Any dispatcher may wake any item, since the rows are guarded; the
 * workspace's owner is told.
 */
public final class Waker {
  private static final int BATCH = 500;

  private final WakeLedger wakeLedger;
  private final FinishLedger finishLedger;
  private final WorkspaceLock lock;
  private final TransactionTemplate transaction;
  private final Pipeline pipeline;
  private final WorkflowCanceller canceller;
  private Set<String> resumed = Set.of();

  public Waker(
      WakeLedger wakeLedger,
      FinishLedger finishLedger,
      WorkspaceLock lock,
      TransactionTemplate transaction,
      Pipeline pipeline,
      WorkflowCanceller canceller) {
    this.wakeLedger = wakeLedger;
    this.finishLedger = finishLedger;
    this.lock = lock;
    this.transaction = transaction;
    this.pipeline = pipeline;
    this.canceller = canceller;
  }

  /** What one run did. */
  public record Done(int woken, int expired, int terminated) {
    boolean isFull() {
      return woken == BATCH || expired == BATCH || terminated == BATCH;
    }
  }

  public Done runOnce() {
    List<String> woken = wakeLedger.wake(BATCH);
    List<Named> overdue = wakeLedger.overdue(BATCH);
    List<Freed> expired = overdue.isEmpty() ? List.of() : expire(overdue);
    // Touching passes it on when another dispatcher owns the workspace.
    woken.stream().distinct().forEach(pipeline::touch);
    expired.stream().map(Freed::workspaceId).distinct().forEach(pipeline::touch);
    List<Named> overtime = wakeLedger.stopNow(BATCH);
    overtime.forEach(item -> canceller.terminate(item.id(), item.workspaceId()));
    endPauses();
    return new Done(woken.size(), expired.size(), overtime.size());
  }

  /** How long nothing will be due, as far as is known now. */
  public Duration untilNext(Duration longest) {
    return wakeLedger.untilNext().filter(d -> d.compareTo(longest) < 0).orElse(longest);
  }

  /** Each once, though they are seen for a while, in case a run came too early or was missed. */
  private void endPauses() {
    var ended = new HashSet<>(wakeLedger.resumedWorkspaces());
    ended.stream().filter(w -> !resumed.contains(w)).forEach(pipeline::limitsChanged);
    resumed = ended;
  }

  private List<Freed> expire(List<Named> overdue) {
    List<Freed> expired =
        transaction.execute(
            status -> {
              var _ = lock.lock(overdue.stream().map(Named::workspaceId).distinct().toList());
              List<Freed> freed = finishLedger.expire(overdue);
              if (!freed.isEmpty()) {
                finishLedger.unpark(freed);
              }
              return freed;
            });
    return expired == null ? List.of() : expired;
  }
}
