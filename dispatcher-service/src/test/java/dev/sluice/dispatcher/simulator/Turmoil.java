package dev.sluice.dispatcher.simulator;

/** The time of faults: at each step, one of all the things that could happen next. */
final class Turmoil {
  private final Simulation sim;
  private final Choices choices;
  private final OutsideMoves outside;
  private final DispatcherMoves dispatchers;
  private final GroupMoves group;
  private final TemporalMoves temporal;

  Turmoil(Simulation sim) {
    this.sim = sim;
    this.choices = new Choices(sim.faults);
    this.outside = new OutsideMoves(sim, choices);
    this.dispatchers = new DispatcherMoves(sim, choices, outside);
    this.group = new GroupMoves(sim, choices);
    this.temporal = new TemporalMoves(sim, choices);
  }

  void run() {
    int steps = sim.world.dice.between(60, 140);
    for (int step = 0; step < steps && sim.world.judge.violations().isEmpty(); step++) {
      choices.clear();
      outside.offer();
      sim.awake().forEach(dispatchers::offer);
      group.offer();
      temporal.offer();
      choices.pick(sim.world.dice).run();
      if (sim.faults.contains(Fault.LIMIT_CHANGE)) {
        sim.world.judge.tighten();
      }
    }
    outside.requestTheRest();
  }
}
