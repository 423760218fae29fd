package dev.sluice.dispatcher.finish;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.temporal.Calls;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Listens to open workflows with a bounded number of long polls. A workflow of a full workspace
 * goes first, and takes the place of one whose close would let nothing start. No thread waits for
 * any of them.
 */
public final class CloseWatcher implements OpenWorkflows {
  /** On top of the long polls: who is said to have closed must not wait for those who have not. */
  private static final int HINTS_AT_ONCE = 64;

  private final CloseSource source;
  private final Consumer<Close> onClose;
  private final BiConsumer<UUID, String> onUnknown;
  private final FinishSettings settings;
  private final ScheduledExecutorService timer;
  private final BooleanSupplier temporalIsBusy;

  /** Polls that nobody urgent takes away, or a slot could be held for ever by a closed workflow. */
  private final int forOthers;

  private final Map<UUID, String> watched = new HashMap<>();

  /** Of these, those that were started for certain; the rest are only said to have closed. */
  private final Set<UUID> started = new HashSet<>();

  private final Map<String, Set<UUID>> byWorkspace = new HashMap<>();
  private final Set<String> urgentWorkspaces = new HashSet<>();
  private final Deque<UUID> hinted = new ArrayDeque<>();
  private final Deque<UUID> urgent = new ArrayDeque<>();
  private final Deque<UUID> others = new ArrayDeque<>();
  private final Map<UUID, Future<?>> pollingHinted = new LinkedHashMap<>();
  private final Map<UUID, Future<?>> pollingUrgent = new LinkedHashMap<>();
  private final Map<UUID, Future<?>> pollingOthers = new LinkedHashMap<>();
  private boolean pumping;
  private boolean lookAgain;

  /**
   * @param onUnknown it was said to have closed, Temporal does not know it, and neither do we
   * @param temporalIsBusy more is to be started than it takes at a time: whoever nobody waits for
   *     is not to slow that down
   */
  public CloseWatcher(
      CloseSource source,
      Consumer<Close> onClose,
      BiConsumer<UUID, String> onUnknown,
      FinishSettings settings,
      ScheduledExecutorService timer,
      BooleanSupplier temporalIsBusy) {
    this.source = source;
    this.onClose = onClose;
    this.onUnknown = onUnknown;
    this.settings = settings;
    this.timer = timer;
    this.temporalIsBusy = temporalIsBusy;
    this.forOthers = settings.longPolls() <= 1 ? 0 : Math.max(1, settings.longPolls() / 8);
  }

  /** Whom to listen to, among whom, and for how long. */
  private record Next(UUID id, Map<UUID, Future<?>> among, Duration longest) {}

  @Override
  public void watch(UUID id, String workspaceId) {
    synchronized (this) {
      started.add(id);
      if (watched.putIfAbsent(id, workspaceId) != null) {
        return;
      }
      byWorkspace.computeIfAbsent(workspaceId, w -> new HashSet<>()).add(id);
      (urgentWorkspaces.contains(workspaceId) ? urgent : others).addLast(id);
      // Before anybody can forget it because of a close that came too early to be written: once it
      // is listened to, that close is heard again.
      pump();
    }
  }

  @Override
  public void hint(UUID id, String workspaceId) {
    synchronized (this) {
      watched.put(id, workspaceId);
      byWorkspace.computeIfAbsent(workspaceId, w -> new HashSet<>()).add(id);
      hinted.addLast(id);
    }
    pump();
  }

  @Override
  public void urgent(String workspaceId) {
    synchronized (this) {
      if (!urgentWorkspaces.add(workspaceId)) {
        return;
      }
      urgent.addAll(byWorkspace.getOrDefault(workspaceId, Set.of()));
    }
    pump();
  }

  @Override
  public synchronized void forget(UUID id) {
    started.remove(id);
    String workspace = watched.remove(id);
    if (workspace == null) {
      return;
    }
    Set<UUID> siblings = byWorkspace.getOrDefault(workspace, Set.of());
    siblings.remove(id);
    if (siblings.isEmpty()) {
      byWorkspace.remove(workspace);
      urgentWorkspaces.remove(workspace);
    }
  }

  /** Somebody else owns these workspaces now. */
  public synchronized void forgetAll(Predicate<String> workspaces) {
    for (UUID id : Set.copyOf(watched.keySet())) {
      if (workspaces.test(watched.getOrDefault(id, ""))) {
        forget(id);
        cancel(pollingHinted.get(id));
        cancel(pollingUrgent.get(id));
        cancel(pollingOthers.get(id));
      }
    }
  }

  public synchronized int size() {
    return watched.size();
  }

  /**
   * A call that is answered at once, as all are while no server can be reached, comes back here
   * from within: then the loop that made it goes on, however many are in line.
   */
  private synchronized void pump() {
    lookAgain = true;
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (lookAgain) {
        lookAgain = false;
        Next next;
        while ((next = nextToPoll()) != null) {
          poll(next);
        }
      }
    } finally {
      pumping = false;
    }
  }

  /** Null when nobody is left or no poll is free. A poll for somebody urgent is made free. */
  private @Nullable Next nextToPoll() {
    dropStale(hinted);
    dropStale(urgent);
    dropStale(others);
    if (!hinted.isEmpty() && pollingHinted.size() < HINTS_AT_ONCE) {
      return new Next(hinted.removeFirst(), pollingHinted, settings.crowdedPollTimeout());
    }
    boolean free = pollingUrgent.size() + pollingOthers.size() < settings.longPolls();
    boolean othersAreDue = !others.isEmpty() && pollingOthers.size() < forOthers;
    boolean othersMay = !others.isEmpty() && urgent.isEmpty() && !isCrowdedAndBusy();
    if (free && (othersAreDue || othersMay)) {
      UUID id = others.removeFirst();
      boolean crowded = !others.isEmpty();
      return new Next(
          id, pollingOthers, crowded ? settings.crowdedPollTimeout() : settings.pollTimeout());
    }
    if (urgent.isEmpty()) {
      return null;
    }
    if (free) {
      return new Next(urgent.removeFirst(), pollingUrgent, settings.pollTimeout());
    }
    if (pollingOthers.size() > forOthers) {
      cancel(pollingOthers.values().iterator().next()); // comes back here when it is cancelled
    }
    return null;
  }

  private boolean isCrowdedAndBusy() {
    return watched.size() > settings.longPolls() && temporalIsBusy.getAsBoolean();
  }

  private void dropStale(Deque<UUID> queue) {
    while (!queue.isEmpty()) {
      UUID first = queue.getFirst();
      if (watched.containsKey(first)
          && !pollingHinted.containsKey(first)
          && !pollingUrgent.containsKey(first)
          && !pollingOthers.containsKey(first)) {
        return;
      }
      queue.removeFirst();
    }
  }

  private void poll(Next next) {
    UUID id = next.id();
    String workspace = watched.getOrDefault(id, "");
    var call = source.listen(id, workspace, next.longest());
    next.among().put(id, call);
    boolean certain = started.contains(id);
    Calls.when(
        call,
        heard -> heard(id, workspace, certain ? heard : believable(heard)),
        failure -> heard(id, workspace, new CloseSource.Heard.Nothing(failure)));
  }

  /**
   * That Temporal does not know a workflow says nothing when its start may have been under way: by
   * the time the answer is written down it may run, and its slot would be given away.
   */
  private static CloseSource.Heard believable(CloseSource.Heard heard) {
    return heard instanceof CloseSource.Heard.Closed(Close close)
            && close.status() == WorkflowStatus.NOT_FOUND
        ? new CloseSource.Heard.TooEarly()
        : heard;
  }

  private void heard(UUID id, String workspace, CloseSource.Heard heard) {
    synchronized (this) {
      pollingHinted.remove(id);
      pollingUrgent.remove(id);
      pollingOthers.remove(id);
    }
    switch (heard) {
      case CloseSource.Heard.Closed(Close close) -> {
        forget(id); // or it could be listened to once more before its close is written
        onClose.accept(close);
      }
      case CloseSource.Heard.StillOpen open -> again(id, workspace, Duration.ZERO);
      case CloseSource.Heard.TooEarly early -> unlessStarted(id, workspace);
      case CloseSource.Heard.Nothing nothing -> again(id, workspace, settings.pauseAfterFailure());
    }
    pump();
  }

  private void unlessStarted(UUID id, String workspace) {
    synchronized (this) {
      if (started.contains(id)) {
        again(id, workspace, Duration.ZERO);
        return;
      }
      forget(id);
    }
    onUnknown.accept(id, workspace);
  }

  private void again(UUID id, String workspace, Duration after) {
    if (!after.isZero()) {
      var _ =
          timer.schedule(
              () -> {
                again(id, workspace, Duration.ZERO);
                pump();
              },
              after.toMillis(),
              TimeUnit.MILLISECONDS);
      return;
    }
    synchronized (this) {
      (urgentWorkspaces.contains(workspace) ? urgent : others).addLast(id);
    }
  }

  private static void cancel(@Nullable Future<?> call) {
    if (call != null) {
      call.cancel(false);
    }
  }
}
