package dev.sluice.chaos.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Which fault comes next and how long it lasts, by a seed. */
public final class Schedule {
  private final Random random;
  private final List<FaultKind> kinds;
  private final boolean brief;
  private final Deque<FaultKind> bag = new ArrayDeque<>();

  private Schedule(long seed, List<FaultKind> kinds, boolean brief) {
    this.random = new Random(seed);
    this.kinds = kinds;
    this.brief = brief;
  }

  /** Every kind once in a random order, then again. */
  public static Schedule ofAll(long seed) {
    return new Schedule(seed, List.of(FaultKind.values()), false);
  }

  /** The short run's kinds, with short times. */
  public static Schedule brief(long seed) {
    return new Schedule(seed, FaultKind.SHORT, true);
  }

  /** A dispatcher is killed, again and again. */
  public static Schedule ofKills(long seed) {
    return new Schedule(seed, List.of(FaultKind.KILL_DISPATCHER), false);
  }

  public FaultKind next() {
    if (bag.isEmpty()) {
      var shuffled = new ArrayList<>(kinds);
      Collections.shuffle(shuffled, random);
      bag.addAll(shuffled);
    }
    return bag.removeFirst();
  }

  public int pick(int bound) {
    return random.nextInt(bound);
  }

  /** In seconds; the short run takes the shortest. */
  public Duration between(int shortest, int longest) {
    return brief
        ? Duration.ofSeconds(shortest)
        : Duration.ofMillis(1000L * shortest + random.nextInt(1000 * (longest - shortest) + 1));
  }
}
