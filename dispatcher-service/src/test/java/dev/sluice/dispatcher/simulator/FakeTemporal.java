package dev.sluice.dispatcher.simulator;

import com.google.common.util.concurrent.SettableFuture;
import dev.sluice.contracts.FailureCode;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.finish.CloseSource.Heard;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.start.StartOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Temporal server whose every move is the scheduler's choice, and whose history is what the judge
 * believes. Keeps Temporal's promise and no other: a workflow id is started once.
 */
final class FakeTemporal {
  private final Map<String, Run> history = new LinkedHashMap<>();
  private final List<StartCall> calls = new ArrayList<>();
  private final List<Poll> polls = new ArrayList<>();
  private final Consumer<Run> onStart;
  private final Consumer<StartCall> onSend;
  private long order;

  FakeTemporal(Consumer<Run> onStart, Consumer<StartCall> onSend) {
    this.onStart = onStart;
    this.onSend = onSend;
  }

  /** A workflow, from its start to its close in the order of all events. */
  static final class Run {
    final String workflowId;
    final UUID requestId;
    final String workspaceId;
    final long startedAt;
    long closedAt;
    WorkflowStatus status = WorkflowStatus.RUNNING;
    boolean askedToStop;

    Run(String workflowId, Claim claim, long startedAt) {
      this.workflowId = workflowId;
      this.requestId = claim.id();
      this.workspaceId = claim.workspaceId();
      this.startedAt = startedAt;
    }

    boolean isOpen() {
      return status == WorkflowStatus.RUNNING;
    }
  }

  /** A start on its way: it reaches the server or not, and the answer comes back or not. */
  static final class StartCall {
    final TemporalEnd from;
    final Claim claim;
    final String workflowId;
    final boolean refused;
    final CompletableFuture<StartOutcome> answer = new CompletableFuture<>();
    @Nullable StartOutcome result;

    StartCall(TemporalEnd from, Claim claim, String workflowId, boolean refused) {
      this.from = from;
      this.claim = claim;
      this.workflowId = workflowId;
      this.refused = refused;
    }

    boolean reachedServer() {
      return result != null;
    }

    boolean isAwaited() {
      return !answer.isDone() && !from.isDead();
    }

    @Override
    public String toString() {
      return from + "'s start of " + claim.id().toString().substring(0, 4);
    }
  }

  /** Somebody who listens for a close. */
  record Poll(TemporalEnd from, UUID id, String workspaceId, SettableFuture<Heard> answer) {
    boolean isAwaited() {
      return !answer.isDone() && !from.isDead();
    }
  }

  void add(StartCall call) {
    calls.add(call);
    onSend.accept(call);
  }

  void add(Poll poll) {
    polls.add(poll);
  }

  /** Calls that can still make a difference. */
  List<StartCall> calls() {
    calls.removeIf(call -> call.reachedServer() && !call.isAwaited());
    return calls;
  }

  List<Poll> polls() {
    polls.removeIf(poll -> !poll.isAwaited());
    return polls;
  }

  /** As they are now, whatever happens to them meanwhile. */
  List<StartCall> callsNow() {
    return List.copyOf(calls());
  }

  List<Poll> pollsNow() {
    return List.copyOf(polls());
  }

  List<Run> runs() {
    return List.copyOf(history.values());
  }

  List<Run> open() {
    return history.values().stream().filter(Run::isOpen).toList();
  }

  boolean isOpen(UUID requestId) {
    return open().stream().anyMatch(run -> run.requestId.equals(requestId));
  }

  /** The request arrives. */
  void process(StartCall call) {
    Run known = history.get(call.workflowId);
    if (known != null) {
      call.result = new StartOutcome.AlreadyStarted("run of " + call.workflowId);
    } else if (call.refused) {
      call.result = new StartOutcome.Rejected(FailureCode.START_REJECTED, "refused");
    } else {
      var run = new Run(call.workflowId, call.claim, ++order);
      history.put(call.workflowId, run);
      call.result = new StartOutcome.Started("run of " + call.workflowId);
      onStart.accept(run);
    }
  }

  /** It never arrives. */
  void drop(StartCall call) {
    calls.remove(call);
  }

  void close(Run run, WorkflowStatus status) {
    run.status = status;
    run.closedAt = ++order;
  }

  void requestCancel(String workflowId) {
    Run run = history.get(workflowId);
    if (run != null && run.isOpen()) {
      run.askedToStop = true;
    }
  }

  /** What a poll would be told now. */
  Heard truth(Poll poll) {
    Run run = history.get(poll.from().workflowId(poll.id()));
    if (run != null && run.isOpen()) {
      return new Heard.StillOpen();
    }
    WorkflowStatus status = run == null ? WorkflowStatus.NOT_FOUND : run.status;
    return new Heard.Closed(new Close(poll.id(), poll.workspaceId(), status, null, null, null));
  }
}
