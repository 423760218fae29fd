package dev.sluice.dispatcher.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All that could happen next, and how likely each is. */
final class Choices {
  private record Choice(int weight, Runnable happens) {}

  private final Set<Fault> faults;
  private final List<Choice> choices = new ArrayList<>();

  Choices(Set<Fault> faults) {
    this.faults = faults;
  }

  void clear() {
    choices.clear();
  }

  void can(int weight, Runnable happens) {
    choices.add(new Choice(weight, happens));
  }

  /** Only where the seed has this fault. */
  void may(Fault fault, int weight, Runnable happens) {
    if (faults.contains(fault)) {
      can(weight, happens);
    }
  }

  Runnable pick(Dice dice) {
    int left = dice.below(choices.stream().mapToInt(Choice::weight).sum());
    for (Choice choice : choices) {
      left -= choice.weight();
      if (left < 0) {
        return choice.happens();
      }
    }
    throw new AssertionError("weights add up");
  }
}
