package dev.sluice.dispatcher.start;

import static java.util.Objects.requireNonNull;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.line.WorkspacesInLine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims on their way to Temporal. Those of one workspace go one after the other, in the order they
 * were claimed, so that they start in the order they were accepted; workspaces go side by side, so
 * that none waits for another, and when Temporal is slower than they are, each by its weight. How
 * many go at a time falls to one while Temporal is away and grows again with every success: a
 * recovered server is not met by a stampede.
 */
public final class StartQueue {
  private static final Logger log = LoggerFactory.getLogger(StartQueue.class);
  private static final Duration LONGEST_GATHER = Duration.ofMillis(250);

  private final WorkflowStarter starter;
  private final Results results;
  private final StartSettings settings;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;

  private final Map<UUID, Entry> entries = new HashMap<>();
  private final Map<String, Deque<UUID>> lanes = new HashMap<>();
  private final WorkspacesInLine ready = new WorkspacesInLine();
  private final Pace pace;
  private final Allowance allowance;
  private long takenAt;
  private boolean stopping;

  /** A claim on its way. Our own takeover may put a later claim of the same item in its place. */
  private static final class Entry {
    Claim claim;
    long confirmedAt;
    long askedAt;
    boolean asking;
    boolean asked;

    Entry(Claim claim, long confirmedAt) {
      this.claim = claim;
      this.confirmedAt = confirmedAt;
      this.asked = claim.takenOver();
    }
  }

  /** Where outcomes go. Called from Temporal's threads and never with a lock held. */
  public interface Results {
    void resolved(Claim claim, StartOutcome outcome);

    /** Asks for {@link #confirmed} about these, by somebody who may talk to the database. */
    void confirm(List<Claim> claims);
  }

  public StartQueue(
      WorkflowStarter starter,
      Results results,
      StartSettings settings,
      ScheduledExecutorService timer,
      LongSupplier nanoTime) {
    this.starter = starter;
    this.results = results;
    this.settings = settings;
    this.timer = timer;
    this.nanoTime = nanoTime;
    this.pace =
        new Pace(
            settings.concurrency(),
            Math.max(settings.concurrency(), settings.concurrencyWhenSlow()),
            settings.firstPause(),
            settings.longestPause(),
            nanoTime);
    this.allowance = new Allowance(settings.maxClaimed(), nanoTime);
  }

  /**
   * How many more claims may be handed in. None before half of the room is free, or a while has
   * passed: claims cost little by the hundred and much one by one, and Temporal has enough to do
   * meanwhile; but when it is slow, a workspace that has just come must not wait for hundreds of
   * others' starts. While it is away there is always one, even after the others were taken over:
   * without it nobody would find out that Temporal is back.
   */
  public synchronized int room() {
    return room(allowance.most());
  }

  /**
   * The same for those who come with their rows, out of turn. Beyond that somebody has to wait, and
   * who that is is for the weights to decide.
   */
  public synchronized int roomToEnter() {
    return room(allowance.mostOutOfTurn());
  }

  private int room(int largest) {
    boolean justTaken = nanoTime.getAsLong() - takenAt < LONGEST_GATHER.toNanos();
    if (stopping || (isHalfFull(largest) && justTaken)) {
      return 0;
    }
    int most = pace.isAway() ? 1 : largest;
    return Math.max(0, most - entries.size());
  }

  private boolean hasPlenty() {
    return isHalfFull(allowance.most());
  }

  private boolean isHalfFull(int largest) {
    return entries.size() > largest / 2;
  }

  /** Returns when there is room, or after so long: what arrives meanwhile becomes one batch. */
  public synchronized void awaitRoom(Duration longest) throws InterruptedException {
    long until = System.nanoTime() + longest.toNanos();
    long left;
    while (!stopping && hasPlenty() && (left = until - System.nanoTime()) > 0) {
      wait(Math.max(1, Duration.ofNanos(left).toMillis()));
    }
  }

  /** How many more of this workspace's may come with their rows. */
  public synchronized int roomFor(String workspaceId) {
    return Math.max(0, settings.maxClaimedPerWorkspace() - claimedOf(workspaceId));
  }

  /** How many more of this workspace's may be claimed: of its share of what may be in all. */
  public synchronized int roomToClaim(String workspaceId) {
    return allowance.roomFor(settings.maxClaimedPerWorkspace(), claimedOf(workspaceId));
  }

  private int claimedOf(String workspaceId) {
    Deque<UUID> lane = lanes.get(workspaceId);
    return lane == null ? 0 : lane.size();
  }

  /** True while this process itself is at work on the claim. */
  public synchronized boolean has(UUID id) {
    return entries.containsKey(id);
  }

  /**
   * True while this process is at work on this very claim. With another token it may be one that we
   * had before somebody else took it over, and that will come to nothing.
   */
  public synchronized boolean holds(UUID id, UUID token) {
    Entry entry = entries.get(id);
    return entry != null && entry.claim.token().equals(token);
  }

  public synchronized int size() {
    return entries.size();
  }

  /** More claims are here than go at a time. */
  public synchronized boolean isBusy() {
    return entries.size() > settings.concurrency();
  }

  public synchronized boolean isTemporalAway() {
    return pace.isAway();
  }

  /**
   * Takes on claims. One that is here already stays in its place; of two claims of an item the
   * later one counts, whichever thread comes first with its own.
   */
  public void submit(Collection<Claim> claims) {
    var _ = submit(claims, workspace -> true);
  }

  /**
   * The same, but only those of workspaces that are still ours; answers the others. Asked under the
   * lock that {@link #abandon} takes too: a claim that was committed while its workspace went to
   * another dispatcher must not start before the earlier ones that were just abandoned.
   */
  public List<Claim> submit(Collection<Claim> claims, Predicate<String> ours) {
    var refused = new ArrayList<Claim>();
    synchronized (this) {
      long now = nanoTime.getAsLong();
      takenAt = claims.isEmpty() ? takenAt : now;
      for (Claim claim : claims) {
        Entry known = entries.get(claim.id());
        if (known == null && !ours.test(claim.workspaceId())) {
          refused.add(claim);
        } else if (known == null) {
          enter(claim, now);
        } else if (claim.revision() > known.claim.revision()) {
          replace(known, claim, now);
        }
      }
    }
    pump();
    return refused;
  }

  /**
   * It goes behind those that were handed in before it this time: of the claims that we had before
   * somebody took them over, some may be gone from the lane, and come back now.
   */
  private void replace(Entry known, Claim claim, long now) {
    known.claim = claim;
    known.confirmedAt = now;
    known.asked = true; // as far as we know
    Deque<UUID> lane = lanes.get(claim.workspaceId());
    if (!known.asking && lane != null && lane.size() > 1) {
      lane.remove(claim.id());
      lane.addLast(claim.id());
      ready.add(claim.workspaceId(), 0);
    }
  }

  private void enter(Claim claim, long now) {
    entries.put(claim.id(), new Entry(claim, now));
    Deque<UUID> lane = lanes.computeIfAbsent(claim.workspaceId(), w -> new ArrayDeque<>());
    lane.addLast(claim.id());
    if (lane.size() == 1) {
      ready.add(claim.workspaceId(), 0);
    }
  }

  /**
   * The answer to {@link Results#confirm}: these are still ours; the rest of {@code asked} is not.
   */
  public void confirmed(List<Claim> asked, Set<UUID> stillOurs) {
    synchronized (this) {
      long now = nanoTime.getAsLong();
      List<Claim> known = asked.stream().filter(claim -> has(claim.id())).toList();
      known.stream()
          .filter(claim -> holds(claim.id(), claim.token()) && !stillOurs.contains(claim.id()))
          .forEach(claim -> lost(claim, now));
      for (Claim claim : known) {
        Entry entry = entries.get(claim.id());
        if (entry != null) {
          boolean replaced = !entry.claim.token().equals(claim.token());
          entry.confirmedAt = replaced ? entry.confirmedAt : now;
          ready.add(claim.workspaceId(), 0);
        }
      }
    }
    pump();
  }

  private void lost(Claim claim, long now) {
    log.atWarn()
        .addKeyValue("workspace", claim.workspaceId())
        .addKeyValue("item", claim.id())
        .log("claim was taken over by another dispatcher");
    leave(claim);
    confirmRestOf(claim.workspaceId(), now);
  }

  /** Whoever took one of them took all: none goes on the word of an earlier confirmation. */
  private void confirmRestOf(String workspaceId, long now) {
    long longAgo = now - settings.confirmAfter().toNanos() - 1;
    lane(workspaceId).forEach(entry -> entry.confirmedAt = longAgo);
  }

  /**
   * Somebody else owns these workspaces now, and takes over what is not under way. Answers those of
   * them that Temporal was never asked for by anybody: only their slots could be given back.
   */
  public synchronized List<Claim> abandon(Predicate<String> workspaces) {
    List<Entry> abandoned =
        entries.values().stream()
            .filter(entry -> !entry.asking && workspaces.test(entry.claim.workspaceId()))
            .toList();
    abandoned.forEach(entry -> leave(entry.claim));
    return abandoned.stream().filter(entry -> !entry.asked).map(entry -> entry.claim).toList();
  }

  /** Those that Temporal was never asked for, and that are not to be started after all. */
  public synchronized List<Claim> recall(Predicate<Claim> claims) {
    List<Claim> recalled =
        entries.values().stream()
            .filter(entry -> !entry.asked && claims.test(entry.claim))
            .map(entry -> entry.claim)
            .toList();
    recalled.forEach(this::leave);
    return recalled;
  }

  public synchronized Set<String> workspaces() {
    return Set.copyOf(lanes.keySet());
  }

  /** No more is handed in or sent; what is under way still resolves. */
  public synchronized List<Claim> stop() {
    stopping = true;
    notifyAll();
    return abandon(workspace -> true);
  }

  private void pump() {
    var toSend = new ArrayList<Claim>();
    var toConfirm = new ArrayList<Claim>();
    synchronized (this) {
      long now = nanoTime.getAsLong();
      while (!stopping && !ready.isEmpty() && pace.tryEnter()) {
        WorkspacesInLine.Next turn = ready.take(1).getFirst();
        Entry next = first(turn.workspaceId());
        if (next == null || next.asking) {
          pace.leave();
        } else if (now - next.confirmedAt > settings.confirmAfter().toNanos()) {
          pace.leave();
          ready.keepPlace(turn);
          toConfirm.addAll(unsent(turn.workspaceId()));
        } else {
          next.askedAt = now;
          next.asking = true;
          next.asked = true;
          ready.served(next.claim.workspaceId(), 1, next.claim.rules().weight());
          toSend.add(next.claim);
          toConfirm.addAll(soonToBeOld(turn.workspaceId(), now));
        }
      }
    }
    if (!toConfirm.isEmpty()) {
      results.confirm(toConfirm);
    }
    for (Claim claim : toSend) {
      var _ = starter.start(claim).thenAccept(outcome -> onOutcome(claim, outcome));
    }
  }

  /** In time, so that the workspace need not miss a turn for it. */
  private List<Claim> soonToBeOld(String workspaceId, long now) {
    long half = settings.confirmAfter().toNanos() / 2;
    boolean soon =
        waiting(workspaceId).findFirst().filter(next -> now - next.confirmedAt > half).isPresent();
    return soon ? unsent(workspaceId) : List.of();
  }

  /** All at once, since they would all have to be confirmed one after the other. */
  private List<Claim> unsent(String workspaceId) {
    return waiting(workspaceId).map(entry -> entry.claim).toList();
  }

  private Stream<Entry> waiting(String workspaceId) {
    return lane(workspaceId).filter(entry -> !entry.asking);
  }

  private Stream<Entry> lane(String workspaceId) {
    return lanes.getOrDefault(workspaceId, new ArrayDeque<>()).stream()
        .map(id -> requireNonNull(entries.get(id)));
  }

  private @Nullable Entry first(String workspaceId) {
    Deque<UUID> lane = lanes.get(workspaceId);
    return lane == null ? null : entries.get(lane.getFirst());
  }

  private void onOutcome(Claim claim, StartOutcome outcome) {
    switch (outcome) {
      case StartOutcome.Started s -> resolve(claim, outcome);
      case StartOutcome.AlreadyStarted a -> resolve(claim, outcome);
      case StartOutcome.Rejected r -> resolve(claim, outcome);
      case StartOutcome.Outage o -> askAgain(claim, outcome, true);
      case StartOutcome.Unknown u -> askAgain(claim, outcome, false);
    }
  }

  private void resolve(Claim asked, StartOutcome outcome) {
    Claim claim;
    synchronized (this) {
      Entry entry = entries.get(asked.id());
      if (entry != null) {
        pace.took(nanoTime.getAsLong() - entry.askedAt);
      }
      pace.succeeded();
      claim = answered(asked);
      allowance.started();
      leave(claim);
    }
    results.resolved(claim, outcome);
    pump();
  }

  private void askAgain(Claim asked, StartOutcome outcome, boolean outage) {
    Duration pause;
    synchronized (this) {
      var _ = answered(asked);
      pause = pace.failed(outage);
    }
    log.atWarn()
        .addKeyValue("workspace", asked.workspaceId())
        .addKeyValue("item", asked.id())
        .addKeyValue("outcome", outcome)
        .addKeyValue("nextTryIn", pause)
        .log("start is not resolved, the slot stays held");
    var _ = timer.schedule(() -> resume(asked), pause.toMillis() + 1, TimeUnit.MILLISECONDS);
  }

  /** The claim that counts for what was asked. */
  private Claim answered(Claim asked) {
    Entry entry = entries.get(asked.id());
    if (entry == null) {
      return asked;
    }
    entry.asking = false;
    return entry.claim;
  }

  private void resume(Claim claim) {
    synchronized (this) {
      if (has(claim.id())) {
        ready.add(claim.workspaceId(), 0);
      }
    }
    pump();
  }

  /** The claim is nobody's business here any more; the next of its workspace may go. */
  private void leave(Claim claim) {
    if (entries.remove(claim.id()) == null) {
      return;
    }
    if (!hasPlenty()) {
      notifyAll();
    }
    Deque<UUID> lane = lanes.get(claim.workspaceId());
    if (lane != null) {
      lane.remove(claim.id());
      if (lane.isEmpty()) {
        lanes.remove(claim.workspaceId());
      } else {
        ready.add(claim.workspaceId(), 0);
      }
    }
  }
}
