package dev.sluice.dispatcher.simulator;

import java.util.List;

/** What Kafka's group, and whoever starts processes, may do next. */
final class GroupMoves {
  private final Simulation sim;
  private final World world;
  private final Dice dice;
  private final Choices choices;

  GroupMoves(Simulation sim, Choices choices) {
    this.sim = sim;
    this.world = sim.world;
    this.dice = world.dice;
    this.choices = choices;
  }

  void offer() {
    for (int i = 0; i < sim.dispatchers.size(); i++) {
      int index = i;
      Dispatcher d = sim.dispatchers.get(i);
      if (d.isDead()) {
        choices.can(6, () -> sim.restart(index));
      }
      if (d.isFrozen()) {
        choices.can(
            3,
            () -> {
              d.freeze(false);
              sim.note("%s goes on", d);
            });
      }
      if (d.isAwake() && d.believed().stream().anyMatch(p -> world.kafka.owner(p) != d)) {
        choices.can(4, () -> sim.tellWhatItLost(d));
      }
    }
    for (int p = 0; p < FakeKafka.PARTITIONS; p++) {
      move(p);
    }
  }

  private void move(int partition) {
    Dispatcher owner = world.kafka.owner(partition);
    boolean orphaned = owner == null || owner.isDead() || owner.isStopping();
    List<Dispatcher> others =
        sim.awake().stream().filter(d -> d != owner && !d.isStopping()).toList();
    if (others.isEmpty()) {
      return;
    }
    if (orphaned) {
      choices.can(8, () -> sim.assign(partition, dice.pick(others)));
    } else if (owner.isFrozen()) {
      choices.can(4, () -> sim.assign(partition, dice.pick(others)));
    } else {
      choices.may(Fault.ZOMBIE, 2, () -> sim.assign(partition, dice.pick(others)));
      choices.may(Fault.REBALANCE, 2, () -> sim.handOver(owner, dice.pick(others), partition));
      choices.may(
          Fault.REBALANCE,
          1,
          () -> {
            sim.perform(owner, () -> owner.lose(List.of(partition)));
            sim.note("%s gives partition %d away", owner, partition);
            sim.assign(partition, dice.pick(others));
          });
    }
  }
}
