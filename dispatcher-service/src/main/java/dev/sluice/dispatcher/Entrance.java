package dev.sluice.dispatcher;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

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
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Requests become rows. Where a workspace has room for all that came for it, nobody waits there,
 * and nothing but its limit has to be looked at, they have their slots with their rows: one commit
 * instead of two, and the row is written once. All others wait for the {@link Pipeline}.
 */
public final class Entrance implements Intake.Store {
  private final IntakeLedger ledger;
  private final WorkspaceLock lock;
  private final TransactionTemplate transaction;
  private final Pipeline pipeline;
  private final Admission admission;
  private final OpenWorkflows openWorkflows;
  private final Consumer<Collection<String>> doubt;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;
  private final boolean enabled;

  public Entrance(
      IntakeLedger ledger,
      WorkspaceLock lock,
      TransactionTemplate transaction,
      Pipeline pipeline,
      Admission admission,
      OpenWorkflows openWorkflows,
      Consumer<Collection<String>> doubt,
      DispatcherMetrics metrics,
      boolean enabled) {
    this.ledger = ledger;
    this.lock = lock;
    this.transaction = transaction;
    this.pipeline = pipeline;
    this.admission = admission;
    this.openWorkflows = openWorkflows;
    this.doubt = doubt;
    this.metrics = metrics;
    this.traces = new PipelineTraces(metrics);
    this.enabled = enabled;
  }

  /** What was stored, and where there was room for it. */
  private record Entered(Stored stored, List<Room> rooms) {}

  @Override
  public List<Accepted> accept(List<NewItem> items, Set<UUID> overCap) {
    Map<String, Integer> coming = enabled ? unhindered(items) : Map.of();
    return coming.isEmpty()
        ? ledger.accept(items, overCap)
        : pipeline.alone(() -> accept(items, overCap, coming));
  }

  private List<Accepted> accept(
      List<NewItem> items, Set<UUID> overCap, Map<String, Integer> coming) {
    Set<String> workspaces = admission.mayEnter(coming);
    if (workspaces.isEmpty()) {
      return ledger.accept(items, overCap);
    }
    long began = System.nanoTime();
    long beganAt = traces.now();
    Entered entered;
    try {
      entered = transaction.execute(status -> enter(items, overCap, coming, workspaces));
    } catch (DataAccessException | TransactionException e) {
      if (!Intake.isRefusal(e)) {
        doubt.accept(workspaces); // the commit may have gone through, and only its answer got lost
      }
      throw e;
    }
    List<Claim> claims = entered.stored().claims();
    if (!claims.isEmpty()) {
      follow(entered);
      metrics.admitted(claims.size(), Duration.ofNanos(System.nanoTime() - began));
      traces.admitted(claims, beganAt);
      pipeline.handOn(claims);
    }
    return entered.stored().accepted();
  }

  private Entered enter(
      List<NewItem> items, Set<UUID> overCap, Map<String, Integer> coming, Set<String> workspaces) {
    var _ = lock.lock(workspaces);
    traces.locked();
    List<Room> rooms =
        ledger.room(workspaces).stream()
            .filter(room -> coming.getOrDefault(room.workspaceId(), 0) <= free(room))
            .toList();
    Set<String> withSlots = rooms.stream().map(Room::workspaceId).collect(toSet());
    return new Entered(ledger.accept(items, overCap, withSlots), rooms);
  }

  /** They were served out of their turn, and may be full now. */
  private void follow(Entered entered) {
    Map<String, List<Claim>> claims =
        entered.stored().claims().stream().collect(groupingBy(Claim::workspaceId));
    List<Room> used =
        entered.rooms().stream().filter(room -> claims.containsKey(room.workspaceId())).toList();
    var _ =
        admission.follow(
            used.stream().map(room -> new Ask(room.workspaceId(), free(room), 0)).toList(),
            used.stream()
                .map(room -> given(room, claims.getOrDefault(room.workspaceId(), List.of())))
                .toList(),
            openWorkflows::urgent);
  }

  private static Given given(Room room, List<Claim> claims) {
    return new Given(
        room.workspaceId(),
        room.slots(),
        room.held(),
        true,
        free(room),
        false,
        room.weight(),
        null,
        0,
        0,
        0,
        claims);
  }

  private static int free(Room room) {
    return room.slots() - room.held();
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
