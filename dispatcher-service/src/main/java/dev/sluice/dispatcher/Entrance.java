package dev.sluice.dispatcher;

import static java.util.stream.Collectors.groupingBy;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.intake.Intake;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.IntakeLedger.Room;
import dev.sluice.dispatcher.ledger.IntakeLedger.Stored;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;

/**
 * Requests become rows. Where a workspace has room for all that came for it, nobody waits there,
 * and nothing but its limit has to be looked at, they have their slots with their rows: one trip to
 * the database instead of five, and the row is written once. All others wait for the {@link
 * Pipeline}.
 */
public final class Entrance implements Intake.Store {
  private final IntakeLedger ledger;
  private final Pipeline pipeline;
  private final Admission admission;
  private final OpenWorkflows openWorkflows;
  private final Consumer<Collection<String>> doubt;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;
  private final boolean enabled;

  public Entrance(
      IntakeLedger ledger,
      Pipeline pipeline,
      Admission admission,
      OpenWorkflows openWorkflows,
      Consumer<Collection<String>> doubt,
      DispatcherMetrics metrics,
      boolean enabled) {
    this.ledger = ledger;
    this.pipeline = pipeline;
    this.admission = admission;
    this.openWorkflows = openWorkflows;
    this.doubt = doubt;
    this.metrics = metrics;
    this.traces = new PipelineTraces(metrics);
    this.enabled = enabled;
  }

  @Override
  public List<Accepted> accept(List<NewItem> items, Set<UUID> overCap) {
    Map<String, Integer> coming = enabled ? unhindered(items) : Map.of();
    return coming.isEmpty()
        ? ledger.accept(items, overCap)
        : pipeline.besideOthers(() -> accept(items, overCap, coming));
  }

  private List<Accepted> accept(
      List<NewItem> items, Set<UUID> overCap, Map<String, Integer> coming) {
    Map<String, Integer> candidates = admission.mayEnter(coming);
    try {
      return enter(items, overCap, candidates);
    } finally {
      admission.haveEntered(candidates);
    }
  }

  private List<Accepted> enter(
      List<NewItem> items, Set<UUID> overCap, Map<String, Integer> candidates) {
    long began = System.nanoTime();
    long beganAt = traces.now();
    Stored stored;
    try {
      stored = ledger.accept(items, overCap, candidates);
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
              given.add(given(workspace, room, claims.getOrDefault(workspace, List.of())));
            });
    var _ = admission.follow(asked, given, openWorkflows::urgent);
  }

  private static Given given(String workspace, Room room, List<Claim> claims) {
    return new Given(
        workspace,
        room.slots(),
        room.held(),
        true,
        room.free(),
        false,
        room.weight(),
        null,
        0,
        0,
        0,
        claims);
  }

  /** How many came for each workspace, where none of them has more to it than its place in line. */
  private static Map<String, Integer> unhindered(List<NewItem> items) {
    var count = new LinkedHashMap<String, Integer>();
    for (NewItem item : items) {
      count.merge(item.request().workspaceId(), 1, Integer::sum);
    }
    for (NewItem item : items) {
      if (!isPlain(item.request())) {
        count.remove(item.request().workspaceId());
      }
    }
    return count;
  }

  private static boolean isPlain(ExecutionRequest request) {
    return request.partitionKey() == null
        && request.limits().isEmpty()
        && request.notBefore() == null
        && request.expiresAt() == null;
  }
}
