package dev.sluice.dispatcher.admit;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.line.WorkspacesInLine;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.start.StartQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which workspaces are looked at next, and for how many items each. The ledger decides what of it
 * is allowed.
 */
public final class Admission {
  private static final Logger log = LoggerFactory.getLogger(Admission.class);

  /** Rows looked at beyond the free slots, once some had to stand aside for others. */
  private static final int FIRST_LOOK_AHEAD = 64;

  private static final int LARGEST_LOOK_AHEAD = 1024;
  private static final int SCARCE_BATCH = 20;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final AdmitLedger ledger;
  private final HandoverLedger handoverLedger;
  private final StartQueue starts;
  private final AdmitSettings settings;
  private final DispatcherMetrics metrics;
  private final Owner owner;
  private final Later later;
  private final WorkspacesInLine line = new WorkspacesInLine();
  private final WorkspacesInLine othersLine = new WorkspacesInLine();

  /**
   * Had no slot left when we last looked, and we have heard of nothing since that would free one.
   */
  private final Set<String> full = ConcurrentHashMap.newKeySet();

  /**
   * Somebody waits there, as far as we know: whoever comes now is behind him, and asking for his
   * slot would be in vain. Until a look finds nobody left.
   */
  private final Set<String> waitedIn = ConcurrentHashMap.newKeySet();

  /** The cap on all workspaces together is reached: nothing is asked until a slot may be free. */
  private volatile boolean exhausted;

  /** It was, and workspaces still compete for what gets free. */
  private volatile boolean scarce;

  /**
   * Where requests are about to get their slots, and how many: no two batches count on one room, or
   * claim in one workspace, since the second might be handed on first.
   */
  private final Map<String, Integer> entering = new HashMap<>();

  /** Who may admit a workspace, so that its requests start in order. */
  public interface Owner {
    boolean isUs(String workspaceId);

    /** False while the takeover is not done; at its end all waiting workspaces are touched. */
    boolean mayAdmit(String workspaceId);

    void tell(String workspaceId);
  }

  /** Something is to be done after a while, and then the pipeline to look around. */
  public interface Later {
    void run(Runnable work, Duration after);
  }

  public Admission(
      AdmitLedger ledger,
      HandoverLedger handoverLedger,
      StartQueue starts,
      AdmitSettings settings,
      DispatcherMetrics metrics,
      Owner owner,
      Later later) {
    this.owner = owner;
    this.later = later;
    this.ledger = ledger;
    this.handoverLedger = handoverLedger;
    this.starts = starts;
    this.settings = settings;
    this.metrics = metrics;
  }

  /** The workspace may have something to start. */
  public void touch(String workspaceId) {
    full.remove(workspaceId);
    if (owner.isUs(workspaceId)) {
      line.add(workspaceId, 0);
    } else {
      othersLine.add(workspaceId, 0);
    }
  }

  /**
   * The workspace has one more that waits. Whoever is full stays so until something of it ends, its
   * limits change or the safety net is due, and each of these touches it: a burst into a full
   * workspace costs its neighbours no admissions. Answers whether there is one to be made.
   */
  public boolean arrived(String workspaceId) {
    if (owner.isUs(workspaceId)) {
      waitedIn.add(workspaceId);
    }
    if (isFull(workspaceId)) {
      return false;
    }
    touch(workspaceId);
    return true;
  }

  /** As far as we know, until something of it ends or its limits change. */
  public boolean isFull(String workspaceId) {
    return full.contains(workspaceId);
  }

  /** Those that another dispatcher owns are told to it, once each. */
  public void passOn() {
    othersLine.take(Integer.MAX_VALUE).forEach(next -> owner.tell(next.workspaceId()));
  }

  public boolean mayStart(String workspaceId) {
    return owner.mayAdmit(workspaceId);
  }

  /** One of its starts is resolved, so others may be under way; answers whether any waits. */
  public boolean resolved(String workspaceId) {
    releaseIfRoom(workspaceId);
    return !line.isEmpty();
  }

  private void releaseIfRoom(String workspaceId) {
    if (starts.roomToClaim(workspaceId) > 0) {
      line.release(workspaceId);
    }
  }

  /** The owner had to wait for this; answers whether that is somebody else by now, to be told. */
  public boolean settled(String workspaceId) {
    if (owner.isUs(workspaceId)) {
      return false;
    }
    othersLine.add(workspaceId, 0);
    return true;
  }

  public void forget(Predicate<String> workspaces) {
    line.forget(workspaces);
    full.removeIf(workspaces);
    waitedIn.removeIf(workspaces);
  }

  /** Of some workspace: those that the cap on all of them kept waiting get another look. */
  public void slotFreed() {
    exhausted = false;
  }

  /**
   * Of the workspaces that so many requests have come for, those that may have their slots at once
   * as far as we know. Whoever is in line comes first: what it may get is not given to others.
   */
  public synchronized Map<String, Integer> mayEnter(Map<String, Integer> coming) {
    var may = new HashMap<String, Integer>();
    int room = exhausted || scarce ? 0 : starts.roomToEnter() - line.size() - sum(entering);
    for (var workspace : coming.entrySet()) {
      String id = workspace.getKey();
      int count = workspace.getValue();
      if (count <= Math.min(room, starts.roomFor(id))
          && !entering.containsKey(id)
          && !isFull(id)
          && !waitedIn.contains(id)
          && owner.isUs(id)
          && owner.mayAdmit(id)) {
        may.put(id, count);
        room -= count;
      }
    }
    entering.putAll(may);
    return may;
  }

  /** These have been handed on to be started, or were not stored after all. */
  public synchronized void haveEntered(Map<String, Integer> entered) {
    entering.keySet().removeAll(entered.keySet());
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Those whose turn it is, at most as many as could get something. */
  public List<Ask> next() {
    int room = starts.room();
    if (exhausted) {
      return List.of();
    }
    // A few, for no more than their weight each, while they compete for the last slots: what they
    // got so far decides who is first.
    int most = scarce ? SCARCE_BATCH : settings.workspacesPerBatch();
    List<WorkspacesInLine.Next> turns = line.take(Math.min(most, room));
    var asks = new ArrayList<Ask>(turns.size());
    for (var turn : turns) {
      int share = scarce ? turn.weight() : Math.max(1, room / turns.size());
      int allowed = Math.min(share, starts.roomToClaim(turn.workspaceId()));
      if (!owner.isUs(turn.workspaceId())) {
        othersLine.add(turn.workspaceId(), 0);
      } else if (!owner.mayAdmit(turn.workspaceId())) {
        log.atDebug().addKeyValue("workspace", turn.workspaceId()).log("waits for the takeover");
      } else if (allowed > 0) {
        // Who enters may have seen it full before the close we are asked for, and said so after it:
        // whatever arrives from now on may not be seen by the look that follows.
        full.remove(turn.workspaceId());
        asks.add(new Ask(turn.workspaceId(), allowed, turn.lookAhead()));
      } else {
        line.hold(turn.workspaceId());
        releaseIfRoom(turn.workspaceId()); // the last of them may have come back meanwhile
      }
    }
    return asks;
  }

  /** The transaction failed: they keep their turn. */
  public void putBack(List<Ask> asks) {
    asks.forEach(ask -> line.add(ask.workspaceId(), ask.lookAhead()));
  }

  /**
   * The slot of a workflow that has closed goes straight to the first in line. Empty where there is
   * more to be done, and then nothing was.
   */
  public Optional<Given> handOver(List<Close> closes, List<Ask> asks) {
    if (closes.size() != 1 || asks.size() != 1 || !settings.aging().isZero()) {
      return Optional.empty();
    }
    Close close = closes.getFirst();
    Ask ask = asks.getFirst();
    return close.workspaceId().equals(ask.workspaceId()) && ask.lookAhead() == 0
        ? handoverLedger.handOver(close, ask)
        : Optional.empty();
  }

  /** Needs the workspaces' locks; {@code existing} are those that were there to be locked. */
  public List<Given> claim(List<Ask> asks, Set<String> existing) {
    List<String> gone =
        asks.stream().map(Ask::workspaceId).filter(w -> !existing.contains(w)).toList();
    if (!gone.isEmpty()) {
      int failed = ledger.failOrphans(gone);
      if (failed > 0) {
        metrics.failed("UNKNOWN_WORKSPACE").increment(failed);
        log.atWarn()
            .addKeyValue("workspaces", gone)
            .addKeyValue("items", failed)
            .log("workspace not found");
      }
    }
    List<Ask> answerable = asks.stream().filter(a -> existing.contains(a.workspaceId())).toList();
    return answerable.isEmpty() ? List.of() : ledger.claim(answerable);
  }

  /** After the commit: who is to be looked at again, and who is full. */
  public List<Claim> follow(List<Ask> asks, List<Given> given, Consumer<String> onFull) {
    var claims = new ArrayList<Claim>();
    Map<String, Ask> asked = asks.stream().collect(toMap(Ask::workspaceId, ask -> ask));
    for (Given got : given) {
      claims.addAll(got.claims());
      Ask ask = requireNonNull(asked.get(got.workspaceId()));
      line.served(got.workspaceId(), got.claims().size(), got.weight());
      if (got.open() && got.starved() && !got.wasted()) {
        line.add(got.workspaceId(), ask.lookAhead());
      } else if (got.open() && got.parked() + got.ended() + got.turns() > 0) {
        int lookAhead =
            Math.min(LARGEST_LOOK_AHEAD, Math.max(FIRST_LOOK_AHEAD, ask.lookAhead() * 4));
        line.add(got.workspaceId(), lookAhead);
      } else if (got.claims().size() == ask.most() && !got.atCapacity()) {
        line.add(got.workspaceId(), ask.lookAhead());
      }
      if (got.leftNobody(ask.most())) {
        waitedIn.remove(got.workspaceId());
      } else if (!got.claims().isEmpty()) {
        waitedIn.add(got.workspaceId());
      }
      if (got.nextStart() != null) {
        later.run(() -> touch(got.workspaceId()), got.nextStart());
      }
      if (got.atCapacity()) {
        full(got, onFull);
      }
    }
    competeForSlots(given);
    return claims;
  }

  /** Slots are also freed by other dispatchers, which do not tell; so it is looked at soon. */
  private void competeForSlots(List<Given> given) {
    boolean starved = given.stream().anyMatch(Given::starved);
    if (starved && !exhausted && given.stream().noneMatch(Given::wasted)) {
      exhausted = true;
      later.run(this::slotFreed, LOOK_AGAIN);
    }
    scarce = starved || (scarce && !line.isEmpty());
  }

  private void full(Given got, Consumer<String> onFull) {
    full.add(got.workspaceId());
    metrics.atCapacity();
    onFull.accept(got.workspaceId());
    log.atDebug()
        .addKeyValue("workspace", got.workspaceId())
        .addKeyValue("held", got.held() + got.claims().size())
        .addKeyValue("limit", got.slots())
        .log("workspace at capacity");
  }
}
