package dev.sluice.dispatcher;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.SettleLedger.Release;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The dispatcher, in one direction: what has closed gives up its slot, free slots are given to the
 * first in line, and those are handed on to be started; {@link Settling} writes back what was. One
 * thread calls {@link #runOnce}; what arrives while it works becomes the next batch, so that
 * batches grow with the load and a lone request waits for nothing.
 */
public final class Pipeline implements StartQueue.Results {
  private static final Logger log = LoggerFactory.getLogger(Pipeline.class);
  private static final int LARGEST_BATCH = 1000;

  private final SettleLedger settleLedger;
  private final ChangeWriter writer;
  private final Settlement settlement;
  private final Settling settling;
  private final DispatcherMetrics metrics;
  private final PipelineTraces traces;
  private final boolean enabled;

  private final Inbox<Release> releases = new Inbox<>();
  private final Inbox<List<Claim>> unconfirmed = new Inbox<>();
  private final Inbox<Noticed> closes = new Inbox<>();
  private final Inbox<Named> unknown = new Inbox<>();
  private final Inbox<String> changed = new Inbox<>();
  private volatile boolean mayBeHalted;

  /** In turn, or a busy pipeline would keep the consumer out. */
  private final ReentrantReadWriteLock claims = new ReentrantReadWriteLock(true);

  private final News news = new News();

  // Set once by connect, before anything runs: these hand their results back to this object.
  private Admission admission;
  private StartQueue starts;
  private OpenWorkflows openWorkflows;
  private Consumer<Collection<String>> doubt;
  private Runnable onDelayed = () -> {};

  /** A close, and when we heard of it. */
  private record Noticed(Close close, long atNanos) {}

  /** What one run did. Who was looked at in vain made room for those behind him in line. */
  public record Done(int closed, int released, int claimed, int lookedAt) {
    public boolean isNothing() {
      return closed + released + claimed + lookedAt == 0;
    }
  }

  @SuppressWarnings("NullAway.Init")
  public Pipeline(
      WorkspaceLock lock,
      SettleLedger settleLedger,
      FinishLedger finishLedger,
      TransactionTemplate transaction,
      Settlement settlement,
      Settling settling,
      DispatcherMetrics metrics,
      boolean enabled) {
    this.settleLedger = settleLedger;
    this.settlement = settlement;
    this.settling = settling;
    this.metrics = metrics;
    this.traces = new PipelineTraces(metrics);
    this.writer = new ChangeWriter(lock, settleLedger, finishLedger, transaction, metrics, traces);
    this.enabled = enabled;
  }

  public void connect(
      Admission admission,
      StartQueue starts,
      OpenWorkflows openWorkflows,
      WorkflowCanceller canceller,
      Consumer<Collection<String>> doubt) {
    this.admission = admission;
    this.starts = starts;
    this.openWorkflows = openWorkflows;
    this.doubt = doubt;
    writer.connect(admission, openWorkflows);
    settling.connect(this::settled, openWorkflows, canceller);
  }

  /** Set once, before anything runs: who is to know that something is due later. */
  public void onDelayed(Runnable told) {
    this.onDelayed = told;
  }

  /** For what admission wants to look at again. */
  public Admission.Later later(ScheduledExecutorService timer) {
    return (work, after) -> {
      var _ =
          timer.schedule(
              () -> {
                work.run();
                wakeUp();
              },
              after.toMillis(),
              TimeUnit.MILLISECONDS);
    };
  }

  /** The workspace may have something to start. */
  public void touch(String workspaceId) {
    admission.touch(workspaceId);
    wakeUp();
  }

  /** The workspace has one more that waits. */
  public void arrived(String workspaceId) {
    if (admission.arrived(workspaceId)) {
      wakeUp(); // else a burst into a full workspace would keep the entrance waiting for nothing
    }
  }

  /** One of its limits changed: also what stood aside gets another look. */
  public void limitsChanged(String workspaceId) {
    changed.add(workspaceId);
    mayBeHalted = true;
    touch(workspaceId);
  }

  /** It may be that a workspace was paused, or all of them: what was not sent is given back. */
  public void recall() {
    mayBeHalted = true;
    wakeUp();
  }

  /** A workflow has closed. */
  public void closed(Close close) {
    closes.add(new Noticed(close, System.nanoTime()));
    touch(close.workspaceId());
  }

  /** It was said to have closed, and Temporal does not know it: what is its slot held by? */
  public void unknown(UUID id, String workspaceId) {
    unknown.add(new Named(id, workspaceId));
    touch(workspaceId);
  }

  /** Claims that will not be sent from here: their slots are given back. */
  public void unsent(Collection<Claim> claims) {
    claims.forEach(claim -> releases.add(Settlement.unsent(claim)));
    wakeUp();
  }

  @Override
  public void resolved(Claim claim, StartOutcome outcome) {
    if (outcome instanceof StartOutcome.Rejected rejected) {
      Release release = settlement.rejected(claim, rejected);
      logRejection(claim, rejected, release.code() != null);
      releases.add(release);
      wakeUp();
    } else {
      settlement.started(claim, outcome).ifPresent(settling::add);
      metrics.retries(claim.attempts());
    }
    if (admission.resolved(claim.workspaceId())) {
      wakeUp(); // else it would only keep the entrance waiting, with each start that comes back
    }
  }

  private void settled(String workspaceId) {
    if (admission.settled(workspaceId)) {
      wakeUp();
    }
  }

  @Override
  public void confirm(List<Claim> claims) {
    unconfirmed.add(claims);
    wakeUp();
  }

  public Done runOnce() {
    confirmClaims();
    recallHalted();
    Done done = alone(this::finishAndAdmit);
    admission.passOn();
    return done;
  }

  /** Returns when there is something to do, or after so long. */
  public void awaitWork(Duration longest) throws InterruptedException {
    news.await(longest);
  }

  /** Left to be written. Waiting workspaces do not count: they are in the database. */
  boolean hasWork() {
    return !releases.isEmpty() || !closes.isEmpty();
  }

  private void confirmClaims() {
    List<List<Claim>> asked = unconfirmed.drain(LARGEST_BATCH);
    if (asked.isEmpty()) {
      return;
    }
    List<Claim> claims = asked.stream().flatMap(List::stream).toList();
    try {
      starts.confirmed(claims, new HashSet<>(settleLedger.confirm(claims)));
    } catch (DataAccessException e) {
      unconfirmed.putBack(asked);
      throw e;
    }
  }

  private void recallHalted() {
    if (!mayBeHalted) {
      return;
    }
    mayBeHalted = false;
    Set<String> workspaces = starts.workspaces();
    if (workspaces.isEmpty()) {
      return;
    }
    try {
      Set<String> halted = Set.copyOf(settleLedger.halted(workspaces));
      List<Claim> recalled = starts.recall(claim -> halted.contains(claim.workspaceId()));
      if (!recalled.isEmpty()) {
        log.atInfo().addKeyValue("items", recalled.size()).log("claims given back, nothing starts");
        unsent(recalled);
      }
    } catch (DataAccessException e) {
      mayBeHalted = true;
      throw e;
    }
  }

  /**
   * Whoever claims is alone until its claims are handed on, so that those of a workspace are
   * started in the order they were claimed.
   */
  private <T> T alone(Supplier<T> claiming) {
    return holding(claims.writeLock(), claiming);
  }

  /** The same for those of whom no two claim in the same workspace: they are beside each other. */
  <T> T besideOthers(Supplier<T> claiming) {
    return holding(claims.readLock(), claiming);
  }

  private static <T> T holding(Lock lock, Supplier<T> claiming) {
    lock.lock();
    try {
      return claiming.get();
    } finally {
      lock.unlock();
    }
  }

  private Done finishAndAdmit() {
    // First, since whoever has something to tell says it before he touches its workspace: drained
    // before, a close that comes in between would be left for the next run, and its turn taken now.
    List<Ask> asks = enabled ? admission.next() : List.of();
    List<Noticed> noticed = closes.drain(LARGEST_BATCH);
    List<Named> strays = unknown.drain(LARGEST_BATCH);
    List<Release> released = releases.drain(LARGEST_BATCH);
    List<String> unpark = changed.drain(LARGEST_BATCH);
    if (noticed.isEmpty()
        && strays.isEmpty()
        && released.isEmpty()
        && unpark.isEmpty()
        && asks.isEmpty()) {
      return new Done(0, 0, 0, 0);
    }
    long began = System.nanoTime();
    long beganAt = traces.now();
    Change change =
        new Change(noticed.stream().map(Noticed::close).toList(), strays, released, unpark, asks);
    List<Given> given;
    try {
      given = writer.write(change);
    } catch (DataAccessException | TransactionException e) {
      closes.putBack(e instanceof DataIntegrityViolationException ? storable(noticed) : noticed);
      unknown.putBack(strays);
      releases.putBack(released);
      changed.putBack(unpark);
      admission.putBack(asks);
      // The commit may have gone through, and only its answer got lost.
      doubt.accept(asks.stream().map(Ask::workspaceId).toList());
      throw e;
    }
    List<Claim> claims = admission.follow(asks, given, openWorkflows::urgent);
    if (!asks.isEmpty()) {
      metrics.admitted(claims.size(), Duration.ofNanos(System.nanoTime() - began));
    }
    traces.admitted(claims, beganAt);
    if (!noticed.isEmpty() || !released.isEmpty()) {
      admission.slotFreed();
    }
    // What these were woken for is free for another.
    given.stream().filter(got -> got.ended() > 0).forEach(got -> limitsChanged(got.workspaceId()));
    afterwards(noticed, released, claims);
    return new Done(noticed.size(), released.size(), claims.size(), asks.size());
  }

  /** One result that PostgreSQL refuses must not keep the others' slots. */
  private static List<Noticed> storable(List<Noticed> noticed) {
    log.atError()
        .addKeyValue("items", noticed.stream().map(n -> n.close().id()).toList())
        .log("a result is not storable; these are closed without theirs");
    return noticed.stream().map(n -> new Noticed(n.close().withoutResult(), n.atNanos())).toList();
  }

  private void afterwards(List<Noticed> noticed, List<Release> released, List<Claim> claims) {
    for (Noticed notice : noticed) {
      openWorkflows.forget(notice.close().id());
    }
    for (Release release : released) {
      if (release.code() != null) {
        metrics.failed(release.code()).increment();
      } else if (release.delay().isPositive()) {
        onDelayed.run();
      }
      touch(release.workspaceId());
    }
    if (!claims.isEmpty()) {
      measureReuse(noticed, claims);
      handOn(claims);
    }
  }

  /** To be started. */
  void handOn(List<Claim> claims) {
    log.atDebug().addKeyValue("items", claims.size()).log("processing items");
    claims.forEach(Pipeline::logDispatching);
    List<Claim> refused = starts.submit(claims, admission::mayStart);
    if (!refused.isEmpty()) {
      unsent(refused);
    }
  }

  private void measureReuse(List<Noticed> noticed, List<Claim> claims) {
    var workspaces = new HashSet<String>();
    claims.forEach(claim -> workspaces.add(claim.workspaceId()));
    long now = System.nanoTime();
    for (Noticed notice : noticed) {
      if (workspaces.contains(notice.close().workspaceId())) {
        metrics.slotReused(Duration.ofNanos(now - notice.atNanos()));
      }
    }
  }

  private static void logDispatching(Claim claim) {
    log.atDebug()
        .addKeyValue("workspace", claim.workspaceId())
        .addKeyValue("item", claim.id())
        .addKeyValue("definition", claim.definitionId())
        .log("dispatching");
  }

  private static void logRejection(Claim claim, StartOutcome.Rejected rejected, boolean last) {
    log.atWarn()
        .addKeyValue("workspace", claim.workspaceId())
        .addKeyValue("item", claim.id())
        .addKeyValue("attempts", claim.attempts() + 1)
        .addKeyValue("of", claim.maxAttempts())
        .addKeyValue("error", rejected.message())
        .log("failed to start");
    if (last) {
      log.atError()
          .addKeyValue("workspace", claim.workspaceId())
          .addKeyValue("item", claim.id())
          .addKeyValue("attempts", claim.attempts() + 1)
          .addKeyValue("reason", rejected.code())
          .log("error processing an item, no attempt is left");
    }
  }

  /** Somebody has left something, or wants the loop to look around. */
  void wakeUp() {
    news.tell();
  }
}
