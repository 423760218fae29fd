package dev.sluice.dispatcher.simulator;

import dev.sluice.contracts.WorkflowStatus;

/**
 * Two dispatchers that own the same workspace admit at the same instant, and a request comes in
 * between that is ahead of the one the first has just claimed. Only the lock keeps the second from
 * giving the same slot away once more.
 */
final class Duel {
  private static final int ROUNDS = 6;

  private final Simulation sim;
  private final World world;

  Duel(Simulation sim) {
    this.sim = sim;
    this.world = sim.world;
  }

  void run() {
    sim.dispatchers.forEach(this::giveEverything);
    for (int round = 0; round < ROUNDS && world.judge.violations().isEmpty(); round++) {
      int first = world.dice.below(2);
      request();
      sim.dispatchers.forEach(this::takeIn);
      Dispatcher second = sim.dispatchers.get(1 - first);
      sim.overlap(sim.dispatchers.get(first), second, () -> requestAndAdmit(second));
      startAll();
      world.temporal.open().forEach(run -> world.temporal.close(run, WorkflowStatus.COMPLETED));
      hearAll();
    }
  }

  /** Nobody tells the other one. */
  private void giveEverything(Dispatcher dispatcher) {
    for (int p = 0; p < FakeKafka.PARTITIONS; p++) {
      sim.assign(p, dispatcher);
    }
    while (dispatcher.takeoverThread.hasDue()) {
      sim.perform(dispatcher, dispatcher.takeoverThread::runNext);
    }
  }

  private void request() {
    Item item = world.request(world.workspaces.getFirst(), false);
    sim.note("request %s, priority %d", item, item.priority);
  }

  private void takeIn(Dispatcher dispatcher) {
    if (dispatcher.hasRecords()) {
      sim.perform(dispatcher, () -> dispatcher.poll(10, false));
      // The other one may have made it a row before: then only a signal tells this one.
      sim.perform(dispatcher, () -> dispatcher.pipeline.touch(world.workspaces.getFirst()));
    }
  }

  private void requestAndAdmit(Dispatcher dispatcher) {
    request();
    takeIn(dispatcher);
    dispatcher.work();
  }

  private void startAll() {
    for (int turn = 0; turn < 4; turn++) {
      for (var call : world.temporal.callsNow()) {
        if (!call.reachedServer()) {
          world.temporal.process(call);
          sim.note("%s: %s", call, call.result);
        }
        if (call.isAwaited()) {
          call.answer.complete(call.result);
        }
      }
      sim.dispatchers.forEach(d -> sim.perform(d, d::work));
    }
  }

  private void hearAll() {
    for (var poll : world.temporal.pollsNow()) {
      poll.answer().set(world.temporal.truth(poll));
    }
    sim.dispatchers.forEach(d -> sim.perform(d, d::work));
    startAll();
  }
}
