package dev.sluice.ingest.status;

import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.ingest.flow.WaitingFor;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** How executions stand. */
@Service
public class Executions {
  private final StatusRepository repository;
  private final Appearance appearance;
  private final Waiters waiters;
  private final ProgressQuery progress;

  Executions(
      StatusRepository repository, Appearance appearance, Waiters waiters, ProgressQuery progress) {
    this.repository = repository;
    this.appearance = appearance;
    this.waiters = waiters;
    this.progress = progress;
  }

  /**
   * Waits for the end at most as long as told.
   *
   * @return empty when there is no such execution, for certain
   */
  public Optional<Execution> find(UUID id, Duration wait) throws InterruptedException {
    if (wait.isZero()) {
      return describe(appearance.find(id, wait));
    }
    long deadline = System.nanoTime() + wait.toNanos();
    // Registered before the first look, so that no end in between is missed, and one look will do.
    try (var waiter = waiters.register(id, Waiters.Until.END)) {
      return switch (appearance.find(id, wait)) {
        case Lookup.Found(var item) -> Optional.of(describe(awaitEnd(item, waiter, deadline)));
        case Lookup.Accepted accepted -> describe(accepted);
        case Lookup.Unknown unknown -> describe(unknown);
      };
    }
  }

  /** What an operator may do to it is decided by this much of it. */
  public sealed interface Standing {
    /** Not a row yet. */
    record NotQueuedYet() implements Standing {}

    record Unknown() implements Standing {}

    record Queued(String workspaceId, ItemState state, boolean ended) implements Standing {}
  }

  public Standing standing(UUID id) throws InterruptedException {
    return switch (appearance.find(id, Duration.ZERO)) {
      case Lookup.Unknown() -> new Standing.Unknown();
      case Lookup.Accepted(var accepted) -> new Standing.NotQueuedYet();
      case Lookup.Found(var item) ->
          new Standing.Queued(item.workspaceId(), item.state(), item.ended());
    };
  }

  /** Empty when there is neither such a workspace nor anything in its name. */
  public Optional<ExecutionPage> list(ListFilter filter, int limit) {
    List<ItemRow> rows = repository.list(filter, limit + 1);
    if (rows.isEmpty() && !repository.isWorkspace(filter.workspaceId())) {
      return Optional.empty();
    }
    List<ItemRow> page = rows.size() > limit ? rows.subList(0, limit) : rows;
    var workspace = workspaceState(filter.workspaceId(), page);
    List<Execution> items =
        page.stream().map(row -> row.toExecution(why(row, workspace), null, null, null)).toList();
    return Optional.of(
        new ExecutionPage(items, rows.size() > limit ? Long.toString(page.getLast().seq()) : null));
  }

  private ItemRow awaitEnd(ItemRow first, Waiters.Waiter waiter, long deadline)
      throws InterruptedException {
    ItemRow item = first;
    while (!item.ended() && waiter.await(Duration.ofNanos(deadline - System.nanoTime()))) {
      item = repository.find(item.id()).orElse(item);
    }
    // It may have gone on without ending, so at the end of the time it is read once more.
    return item.ended() ? item : repository.find(item.id()).orElse(item);
  }

  private Optional<Execution> describe(Lookup lookup) {
    return switch (lookup) {
      case Lookup.Unknown() -> Optional.empty();
      case Lookup.Accepted(var id) -> Optional.of(Execution.accepted(id));
      case Lookup.Found(var item) -> Optional.of(describe(item));
    };
  }

  private Execution describe(ItemRow item) {
    var workspace = workspaceState(item.workspaceId(), List.of(item));
    boolean ready = item.state() == ItemState.PENDING && item.gate().equals("ready");
    Long position = ready ? repository.position(item).orElse(null) : null;
    WaitingFor why = why(item, workspace);
    Execution.EstimatedStart start =
        position == null || workspace == null || why == null || !Estimate.isPossible(why)
            ? null
            : estimate(item, position, workspace).orElse(null);
    Optional<GraphProgress> far =
        item.isRunningGraph() ? progress.of(item.id()) : item.completedGraph();
    return item.toExecution(why, position, start, far.orElse(null));
  }

  private Optional<Execution.EstimatedStart> estimate(
      ItemRow item, long position, WorkspaceState workspace) {
    return repository
        .recent(item.workspaceId(), Estimate.SAMPLE)
        .flatMap(recent -> Estimate.of(item, position, workspace.flow(), recent));
  }

  /** One look at the workspace explains all of its items; none is needed when nothing waits. */
  private @Nullable WorkspaceState workspaceState(String workspace, List<ItemRow> items) {
    var pending = items.stream().filter(item -> item.state() == ItemState.PENDING).toList();
    if (pending.isEmpty()) {
      return null;
    }
    var definitions = pending.stream().map(ItemRow::definitionId).collect(Collectors.toSet());
    var keys = new HashSet<String>();
    for (ItemRow item : pending) {
      if (item.parked() != null && item.parked().key() != null) {
        keys.add(item.parked().key());
      }
    }
    return repository.workspaceState(workspace, definitions, keys).orElse(null);
  }

  private static @Nullable WaitingFor why(ItemRow item, @Nullable WorkspaceState workspace) {
    return switch (item.state()) {
      case PENDING -> workspace == null ? null : WhyWaiting.of(item, workspace);
      case CLAIMED -> WhyWaiting.ofClaimed(item);
      case DISPATCHED, FAILED, CANCELLED, EXPIRED -> null;
    };
  }
}
