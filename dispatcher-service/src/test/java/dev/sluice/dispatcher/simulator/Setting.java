package dev.sluice.dispatcher.simulator;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a seed is about.
 *
 * @param refusedInAHundred items that Temporal refuses a few times before it takes them
 * @param entrance whether requests get their slots with their rows where there is room; else all of
 *     them go through admission
 */
record Setting(
    Set<Fault> faults,
    int workspaces,
    int largestLimit,
    int dispatchers,
    int refusedInAHundred,
    boolean entrance) {

  /** Anything, in every combination. */
  static Setting draw(Dice dice) {
    var drawn = EnumSet.noneOf(Fault.class);
    int chance = dice.pick(List.of(0, 20, 40, 60));
    for (Fault fault : Fault.values()) {
      if (dice.percent(chance)) {
        drawn.add(fault);
      }
    }
    return new Setting(drawn, dice.between(1, 3), 3, dice.oneIn(4) ? 1 : 2, 20, true);
  }

  /** Dispatchers that lose their only workspace again and again, and are slow to notice. */
  static Setting zombies(Dice dice) {
    var faults =
        EnumSet.of(Fault.ZOMBIE, Fault.FREEZE, Fault.REBALANCE, Fault.STOP, Fault.SPECIAL_ITEMS);
    return new Setting(faults, 1, dice.between(1, 2), 2, 60, true);
  }

  /** Nothing breaks, but two dispatchers both believe to own the only workspace. */
  static Setting duel(Dice dice) {
    return new Setting(EnumSet.noneOf(Fault.class), 1, dice.between(1, 2), 2, 0, false);
  }

  /** Nothing breaks, and requests come in to a workspace that has room for a few. */
  static Setting calm(Dice dice) {
    return new Setting(EnumSet.noneOf(Fault.class), 1, dice.between(1, 2), 1, 0, true);
  }

  /** A dispatcher that writes, again and again, without hearing what came of it. */
  static Setting lostAnswers(Dice dice) {
    return new Setting(EnumSet.of(Fault.DATABASE), 1, dice.between(2, 3), 1, 0, true);
  }

  /**
   * A redrive of a claim that was made a moment ago may leave an earlier item behind for a while;
   * recovery-service never asks for one.
   */
  boolean isOrderly() {
    return !(faults.contains(Fault.REDRIVE) && faults.contains(Fault.RACE));
  }
}
