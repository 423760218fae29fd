package dev.sluice.dispatcher.simulator;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.WorkflowStatus;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The time after the faults: all must come to rest by itself, and then to its end. */
final class Quiet {
  private static final int ROUNDS = 14;

  private final Simulation sim;
  private final World world;
  private boolean neededRecovery;

  Quiet(Simulation sim) {
    this.sim = sim;
    this.world = sim.world;
  }

  /** Answers whether recovery-service had to help. */
  boolean run(boolean orderly) {
    sim.note("quiet");
    sim.faults.clear();
    world.loseNothingMore();
    mend();
    for (int round = 0; round < ROUNDS && unrest() != null; round++) {
      round(round);
    }
    @Nullable String unrest = unrest();
    if (unrest != null) {
      neededRecovery = true;
      sim.note("recovery is needed: %s", unrest);
    }
    for (int round = 0; round < ROUNDS && unrest() != null; round++) {
      recover();
      round(round);
    }
    unrest = unrest();
    if (unrest == null) {
      drain();
      world.judge.verdict(rows(), orderly);
    } else {
      world.judge.violation("does not come to rest: " + unrest);
    }
    return neededRecovery;
  }

  private void drain() {
    sim.note("drain");
    int rounds = 4 * ROUNDS + 12 * world.items.size();
    for (int round = 0; round < rounds && !isOver(); round++) {
      world.temporal.open().forEach(run -> world.temporal.close(run, WorkflowStatus.COMPLETED));
      if (round > rounds / 2) {
        neededRecovery = true;
        recover();
      }
      round(round);
    }
  }

  private void mend() {
    for (int i = 0; i < sim.dispatchers.size(); i++) {
      Dispatcher dispatcher = sim.dispatchers.get(i);
      dispatcher.wire.disarm();
      dispatcher.wire.beforeNextCommit(() -> {});
      dispatcher.afterNextTransaction(() -> {});
      dispatcher.temporal.disarm();
      dispatcher.freeze(false);
      if (dispatcher.isStopping()) {
        dispatcher.die();
      }
      if (dispatcher.isDead()) {
        sim.restart(i);
      }
    }
    for (int p = 0; p < FakeKafka.PARTITIONS; p++) {
      Dispatcher owner = world.kafka.owner(p);
      if (owner == null || owner.isDead()) {
        sim.assign(p, sim.dispatchers.get(p % sim.dispatchers.size()));
      }
    }
    sim.dispatchers.forEach(sim::tellWhatItLost);
  }

  /** Everybody gets to do everything once. */
  private void round(int number) {
    for (Dispatcher dispatcher : sim.awake()) {
      while (dispatcher.hasRecords()) {
        sim.perform(dispatcher, () -> dispatcher.poll(10, true));
      }
      while (dispatcher.takeoverThread.hasDue()) {
        sim.perform(dispatcher, dispatcher.takeoverThread::runNext);
      }
      while (dispatcher.timer.hasDue()) {
        sim.perform(dispatcher, dispatcher.timer::runNext);
      }
      if (number % 3 == 0) {
        sim.perform(dispatcher, dispatcher.waker::runOnce);
      }
      sim.perform(dispatcher, dispatcher::work);
    }
    answerEverything();
    sim.dispatchers.forEach(d -> sim.perform(d, d::work));
    world.clock.advance(6_000);
    if (number % 3 == 2) {
      world.passHours(2);
    }
  }

  private void answerEverything() {
    for (var call : world.temporal.callsNow()) {
      if (!call.reachedServer()) {
        world.temporal.process(call);
        sim.note("%s: %s", call, call.result);
      }
      if (call.isAwaited()) {
        call.answer.complete(call.result);
      }
    }
    for (var poll : world.temporal.pollsNow()) {
      if (poll.isAwaited()) {
        poll.answer().set(world.temporal.truth(poll));
      }
    }
  }

  /** What recovery-service does: redrives old claims, and tells of closes nobody heard. */
  private void recover() {
    for (var row : rows().values()) {
      Item item = world.items.get(row.id());
      if (row.state().equals("CLAIMED")) {
        world.signal(new Signal.Redrive(item.workspaceId, item.id));
      } else if (row.holdsSlot() && !world.temporal.isOpen(row.id())) {
        world.signal(new Signal.Finished(item.workspaceId, item.id));
      }
    }
  }

  private @Nullable String unrest() {
    return world.judge.unrest(rows());
  }

  private boolean isOver() {
    return world.temporal.open().isEmpty()
        && rows().values().stream()
            .noneMatch(
                r -> r.holdsSlot() || r.state().equals("PENDING") || r.state().equals("CLAIMED"));
  }

  private Map<UUID, Judge.Row> rows() {
    return world.judge.rows(world.names());
  }
}
