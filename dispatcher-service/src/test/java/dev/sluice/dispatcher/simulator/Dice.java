package dev.sluice.dispatcher.simulator;

import java.util.List;
import java.util.Random;

/** Every decision of a simulation comes from here, so that a seed is a whole story. */
final class Dice {
  private final Random random;

  Dice(long seed) {
    // Neighbouring seeds of java.util.Random begin alike; spread them.
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
