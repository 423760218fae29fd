package dev.sluice.dispatcher.simulator;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.dispatcher.finish.CloseSource;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.simulator.FakeTemporal.Poll;
import dev.sluice.dispatcher.simulator.FakeTemporal.StartCall;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.WorkflowStarter;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** One dispatcher's side of its connection to Temporal. */
final class TemporalEnd implements WorkflowStarter, CloseSource, WorkflowCanceller {
  private final String name;
  private final FakeTemporal temporal;
  private final Predicate<Claim> refuses;
  private final Mutation mutation;
  private boolean dead;
  private int startsUntilCrash = Integer.MAX_VALUE;

  TemporalEnd(String name, FakeTemporal temporal, Predicate<Claim> refuses, Mutation mutation) {
    this.name = name;
    this.temporal = temporal;
    this.refuses = refuses;
    this.mutation = mutation;
  }

  boolean isDead() {
    return dead;
  }

  void die() {
    dead = true;
  }

  /** The process dies with so many more starts sent. */
  void crashAfter(int starts) {
    startsUntilCrash = starts;
  }

  void disarm() {
    startsUntilCrash = Integer.MAX_VALUE;
  }

  @Override
  public CompletableFuture<StartOutcome> start(Claim claim) {
    if (dead || startsUntilCrash-- <= 0) {
      dead = true;
      throw new Crash("before a start was sent");
    }
    var call = new StartCall(this, claim, mutation.workflowId(claim), refuses.test(claim));
    temporal.add(call);
    return call.answer.thenApply(mutation::outcome);
  }

  @Override
  public ListenableFuture<Heard> listen(UUID id, String workspaceId, Duration longest) {
    var answer = SettableFuture.<Heard>create();
    if (!dead) {
      temporal.add(new Poll(this, id, workspaceId, answer));
    }
    return answer;
  }

  @Override
  public void cancel(UUID id, String workspaceId) {
    if (!dead) {
      temporal.requestCancel(workflowId(id));
    }
  }

  @Override
  public void terminate(UUID id, String workspaceId) {
    cancel(id, workspaceId); // no seed asks for more
  }

  String workflowId(UUID id) {
    return ExecutionIds.workflowId(id);
  }

  @Override
  public String toString() {
    return name;
  }
}
