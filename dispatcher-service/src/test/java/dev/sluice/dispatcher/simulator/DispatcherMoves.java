package dev.sluice.dispatcher.simulator;

import java.util.List;

/** What a dispatcher may do next, and what may befall it. */
final class DispatcherMoves {
  private final Simulation sim;
  private final Dice dice;
  private final Choices choices;
  private final OutsideMoves outside;
  private final int diligence;

  DispatcherMoves(Simulation sim, Choices choices, OutsideMoves outside) {
    this.sim = sim;
    this.dice = sim.world.dice;
    this.choices = choices;
    this.outside = outside;
    // Some seeds have slow pipelines: other things happen in between then.
    this.diligence = dice.pick(List.of(2, 6, 12));
  }

  void offer(Dispatcher d) {
    choices.can(
        diligence,
        () -> {
          sim.perform(d, () -> sim.note("%s pipeline %s", d, d.pipeline.runOnce()));
          endIfDrained(d);
        });
    choices.can(
        diligence,
        () -> {
          sim.perform(d, () -> sim.note("%s settled %d", d, d.settling.runOnce()));
          endIfDrained(d);
        });
    if (d.hasRecords()) {
      choices.can(10, () -> poll(d));
    }
    if (d.takeoverThread.hasDue()) {
      choices.can(
          8,
          () ->
              sim.perform(
                  d,
                  () -> {
                    d.takeoverThread.runNext();
                    sim.note("%s takeover task", d);
                  }));
      choices.may(Fault.RACE, 8, () -> race(d));
    }
    if (d.timer.hasDue()) {
      choices.can(
          8,
          () ->
              sim.perform(
                  d,
                  () -> {
                    d.timer.runNext();
                    sim.note("%s timer", d);
                  }));
    }
    choices.can(2, () -> sim.perform(d, () -> sim.note("%s waker %s", d, d.waker.runOnce())));
    choices.may(Fault.CRASH, 1, () -> crash(d));
    choices.may(Fault.DATABASE, 2, () -> breakConnection(d));
    choices.may(
        Fault.FREEZE,
        1,
        () -> {
          d.freeze(true);
          sim.note("%s freezes", d);
        });
    if (!d.isStopping()) {
      choices.may(
          Fault.STOP,
          1,
          () -> {
            boolean consumerFirst = dice.oneIn(2);
            sim.perform(d, () -> d.stop(consumerFirst));
            sim.note("%s is asked to stop", d);
          });
    }
    for (Dispatcher other : sim.awake()) {
      if (other != d) {
        choices.may(Fault.OVERLAP, 10, () -> sim.overlap(d, other, () -> takeInAndAdmit(other)));
      }
    }
  }

  private void endIfDrained(Dispatcher d) {
    if (!d.isDead() && d.isDrained() && dice.oneIn(2)) {
      d.die();
      sim.note("%s has stopped", d);
    }
  }

  private void poll(Dispatcher d) {
    boolean commit = dice.percent(70);
    int most = dice.between(1, 4);
    sim.perform(
        d,
        () ->
            sim.note(
                "%s takes %d records%s",
                d, d.poll(most, commit), commit ? "" : ", without a commit"));
  }

  private void crash(Dispatcher d) {
    switch (dice.below(3)) {
      case 0 -> {
        d.die();
        sim.note("%s is killed", d);
      }
      case 1 -> {
        d.wire.arm(dice.oneIn(2) ? Wire.Fault.CRASH_BEFORE : Wire.Fault.CRASH_AFTER, dice.below(5));
        sim.note("%s will crash at a statement", d);
      }
      default -> {
        d.temporal.crashAfter(dice.below(2));
        sim.note("%s will crash at a start", d);
      }
    }
  }

  private void breakConnection(Dispatcher d) {
    switch (dice.below(3)) {
      case 0 -> d.wire.arm(Wire.Fault.LOST_BEFORE, dice.below(5));
      case 1 -> d.wire.arm(Wire.Fault.LOST_AFTER, dice.below(5));
      default -> d.wire.arm(Wire.Fault.LOST_AFTER_COMMIT, dice.below(2));
    }
    sim.note("%s will lose its connection", d);
  }

  /** The takeover's thread is quicker than the pipeline's between its commit and what follows. */
  private void race(Dispatcher d) {
    sim.note("%s pipeline, and takeover right after its commit", d);
    d.afterNextTransaction(
        () -> {
          while (d.takeoverThread.hasDue()) {
            sim.perform(d, d.takeoverThread::runNext);
          }
        });
    sim.perform(d, d.pipeline::runOnce);
    d.afterNextTransaction(() -> {});
  }

  /** A request that comes in meanwhile may be ahead of the one the first has claimed. */
  private void takeInAndAdmit(Dispatcher d) {
    if (dice.oneIn(2)) {
      outside.requestOneMore();
    }
    if (d.hasRecords()) {
      d.poll(10, true);
    }
    d.pipeline.runOnce();
  }
}
