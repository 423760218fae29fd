package dev.sluice.dispatcher;

import static java.util.stream.Collectors.groupingBy;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.intake.Intake;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.EnterLedger;
import dev.sluice.dispatcher.ledger.EnterLedger.Stored;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.PlainLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/**
 * Requests become rows. Where a workspace has room for all that came for it, nobody waits there,
 * and nothing but its limit has to be looked at, they have their slots with their rows: one trip to
 * the database instead of five, and the row is written once. All others wait for the {@link
 * Pipeline}.
 */
public final class Entrance implements Intake.Store {
  private final IntakeLedger ledger;
  private final EnterLedger enterLedger;
  private final Pipeline pipeline;
  private final Admission admission;
  private final OpenWorkflows openWorkflows;
  private final Consumer<Collection<String>> doubt;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;
  private final boolean enabled;

  public Entrance(
      IntakeLedger ledger,
      EnterLedger enterLedger,
      Pipeline pipeline,
      Admission admission,
      OpenWorkflows openWorkflows,
      Consumer<Collection<String>> doubt,
      DispatcherMetrics metrics,
      boolean enabled) {
    this.ledger = ledger;
    this.enterLedger = enterLedger;
    this.pipeline = pipeline;
    this.admission = admission;
    this.openWorkflows = openWorkflows;
    this.doubt = doubt;
    this.metrics = metrics;
    this.traces = new PipelineTraces(metrics);
    this.enabled = enabled;
  }

  @Override
  public void accept(List<NewItem> items, Set<UUID> overCap, Collection<Accepted> accepted) {
    Map<String, Integer> coming = enabled ? PlainLedger.plain(items, overCap) : Map.of();
    List<NewItem> rest =
        coming.isEmpty() ? items : pipeline.besideOthers(() -> enter(items, coming, accepted));
    if (!rest.isEmpty()) {
      ledger.accept(rest, overCap, accepted);
    }
  }

  /** Answers those that are not stored yet. */
  private List<NewItem> enter(
      List<NewItem> items, Map<String, Integer> coming, Collection<Accepted> accepted) {
    Map<String, Integer> candidates = admission.mayEnter(coming);
    try {
      if (candidates.isEmpty()) {
        return items;
      }
      // In a statement of their own, so that they are not kept waiting by those who have to wait.
      List<NewItem> first = IntakeLedger.of(candidates.keySet(), items);
      List<Accepted> entered = follow(candidates, () -> enterLedger.enter(first, candidates));
      accepted.addAll(entered);
      return IntakeLedger.without(entered, items);
    } finally {
      admission.haveEntered(candidates);
    }
  }

  private List<Accepted> follow(Map<String, Integer> candidates, Supplier<Stored> storing) {
    long began = System.nanoTime();
    long beganAt = traces.now();
    Stored stored;
    try {
      stored = storing.get();
    } catch (DataAccessException e) {
      if (!Intake.isRefusal(e)) {
        // It may have been committed, and only its answer got lost.
        doubt.accept(candidates.keySet());
      }
      throw e;
    }
    if (!stored.claims().isEmpty()) {
      follow(stored);
      metrics.admitted(stored.claims().size(), Duration.ofNanos(System.nanoTime() - began));
      traces.entered(stored.claims(), beganAt);
      pipeline.handOn(stored.claims());
    }
    return stored.accepted();
  }

  /** They were served out of their turn, and may be full now. */
  private void follow(Stored stored) {
    Map<String, List<Claim>> claims =
        stored.claims().stream().collect(groupingBy(Claim::workspaceId));
    var asked = new ArrayList<Ask>();
    var given = new ArrayList<Given>();
    stored
        .rooms()
        .forEach(
            (workspace, room) -> {
              asked.add(new Ask(workspace, room.free(), 0));
              given.add(
                  Given.within(workspace, room, 0, claims.getOrDefault(workspace, List.of())));
            });
    var _ = admission.follow(asked, given, openWorkflows::urgent);
  }
}
