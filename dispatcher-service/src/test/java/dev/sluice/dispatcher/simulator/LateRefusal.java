package dev.sluice.dispatcher.simulator;

import java.util.List;

/**
 * A dispatcher hears only after a freeze that Temporal refused its item. Another has taken it over
 * meanwhile and is starting it once more: the late answer must not take its slot away.
 */
final class LateRefusal {
  private final Simulation sim;
  private final World world;
  private final String workspace;

  LateRefusal(Simulation sim) {
    this.sim = sim;
    this.world = sim.world;
    this.workspace = world.workspaces.getFirst();
  }

  void run() {
    Dispatcher frozen = sim.dispatchers.getFirst();
    Dispatcher next = sim.dispatchers.getLast();
    give(frozen);
    Item item = world.request(workspace, false);
    item.refusals = 1;
    takeIn(frozen);
    var late = world.temporal.callsNow().getFirst();
    world.temporal.process(late);
    frozen.freeze(true);

    give(next);
    refuse(next, late);
    world.passHours(2);
    sim.perform(next, next.waker::runOnce);
    sim.perform(next, next::work);
    if (world.dice.oneIn(2)) {
      processAll();
    }

    frozen.freeze(false);
    sim.perform(frozen, () -> late.answer.complete(late.result));
    sim.perform(frozen, frozen::work);
    for (int i = 0; i < 3; i++) {
      world.request(workspace, false);
    }
    takeIn(next);
    processAll();
  }

  private void give(Dispatcher dispatcher) {
    for (int p = 0; p < FakeKafka.PARTITIONS; p++) {
      sim.assign(p, dispatcher);
    }
    while (dispatcher.takeoverThread.hasDue()) {
      sim.perform(dispatcher, dispatcher.takeoverThread::runNext);
    }
  }

  private void takeIn(Dispatcher dispatcher) {
    sim.perform(dispatcher, () -> dispatcher.poll(10, true));
    sim.perform(dispatcher, dispatcher::work);
  }

  /** Answers what the new owner asked for, not what the frozen one waits for. */
  private void refuse(Dispatcher dispatcher, FakeTemporal.StartCall late) {
    for (var call : world.temporal.callsNow()) {
      if (call != late) {
        world.temporal.process(call);
        sim.perform(dispatcher, () -> call.answer.complete(call.result));
      }
    }
    sim.perform(dispatcher, dispatcher::work);
  }

  private void processAll() {
    List<FakeTemporal.StartCall> calls = world.temporal.callsNow();
    calls.stream().filter(call -> !call.reachedServer()).forEach(world.temporal::process);
  }
}
