package dev.sluice.recovery.reconcile;

import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.Signal;
import dev.sluice.recovery.reconcile.ReconcileLedger.HeldSlot;
import dev.sluice.recovery.reconcile.Temporal.Listing;
import dev.sluice.recovery.reconcile.Temporal.Seen;
import dev.sluice.recovery.signal.SignalSender;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the held slots with what Temporal says, the longest unseen first. A workflow that closed
 * while nobody watched is told to the workspace's owner, who asks Temporal once more and frees the
 * slot.
 */
public final class Reconciler {
  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

  /** The visibility store is behind by seconds; a little overlap costs little. */
  private static final Duration OVERLAP = Duration.ofSeconds(60);

  private final ReconcileLedger ledger;
  private final Temporal temporal;
  private final Questions questions;
  private final SignalSender signals;
  private final Leaks leaks;
  private final ReconcileSettings settings;
  private @Nullable HeldSlot cursor;
  private Instant listedUntil;
  private boolean listingWorks = true;

  Reconciler(
      ReconcileLedger ledger,
      Temporal temporal,
      SignalSender signals,
      Leaks leaks,
      ReconcileSettings settings) {
    this.ledger = ledger;
    this.temporal = temporal;
    this.questions = new Questions(temporal, settings.concurrency(), settings.perSecond());
    this.signals = signals;
    this.leaks = leaks;
    this.settings = settings;
    this.listedUntil = Instant.now();
  }

  /**
   * @param complete every held slot was looked at since the pass began
   */
  public record Round(int looked, int finished, boolean complete) {}

  /** Goes on with the pass for one interval at most, or to its end. */
  public synchronized Round runOnce() throws InterruptedException {
    int listed = finishListed();
    long end = System.nanoTime() + settings.every().toNanos();
    int looked = 0;
    int finished = listed;
    while (System.nanoTime() - end < 0) {
      List<HeldSlot> slots = ledger.held(settings.quiet(), cursor, settings.batch());
      var answers = questions.ask(slots.stream().filter(Reconciler::isResolved).toList());
      finished += finish(slots, answers);
      looked += slots.size();
      if (answers.incomplete()) {
        log.atWarn()
            .addKeyValue("why", answers.why())
            .log("Temporal does not answer, held slots are compared later");
        return new Round(looked, finished, false);
      }
      cursor = slots.size() < settings.batch() ? null : slots.getLast();
      if (cursor == null) {
        return new Round(looked, finished, true);
      }
    }
    return new Round(looked, finished, false);
  }

  /** While an item is CLAIMED, its start is not resolved: there need not be a workflow yet. */
  private static boolean isResolved(HeldSlot slot) {
    return slot.state() != ItemState.CLAIMED;
  }

  private int finish(List<HeldSlot> slots, Questions.Answers answers) throws InterruptedException {
    var finished = new ArrayList<Signal.Finished>();
    for (HeldSlot slot : slots) {
      if (isFree(slot, answers.of(slot))) {
        finished.add(new Signal.Finished(slot.workspaceId(), slot.id()));
      }
    }
    if (!finished.isEmpty()) {
      signals.send(finished);
      log.atInfo().addKeyValue("slots", finished.size()).log("told the owners of closed workflows");
    }
    return finished.size();
  }

  private boolean isFree(HeldSlot slot, @Nullable Seen seen) {
    return switch (seen) {
      case Seen.Closed(String how, Instant at) -> {
        if (slot.askedAt().toInstant().isAfter(at.plus(settings.leakAfter()))) {
          leaks.found(slot, how);
        }
        yield true;
      }
      case Seen.NotFound() -> {
        leaks.found(slot, "NOT_FOUND");
        yield true;
      }
      case Seen.Open open -> false;
      case Seen.Unknown unknown -> false;
      case null -> false;
    };
  }

  /** With very many held slots a pass takes long; a listing finds most of what closed at once. */
  private int finishListed() throws InterruptedException {
    if (!listingWorks || ledger.countHeld() <= settings.listAbove()) {
      listedUntil = Instant.now();
      return 0;
    }
    return switch (temporal.closedSince(listedUntil.minus(OVERLAP))) {
      case Listing.Unsupported() -> {
        listingWorks = false;
        yield 0;
      }
      case Listing.Closed(var ids, Instant newest) -> {
        listedUntil = newest;
        List<HeldSlot> held = ledger.heldOf(ids).stream().filter(Reconciler::isResolved).toList();
        yield finish(held, questions.ask(held));
      }
    };
  }
}
