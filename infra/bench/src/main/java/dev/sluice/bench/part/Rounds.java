package dev.sluice.bench.part;

import dev.sluice.bench.stack.Stolen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rounds of a part. What other guests of this host take of its processors falls on one round and
 * not on the next, and such a round says nothing of what is compared. So while not enough of them
 * were quiet more are measured, as long as there is time, and those count of which others took
 * least. Which ones that are is decided by what was taken, never by what came out.
 */
final class Rounds {
  /** Of all processors. A quiet host takes less than a hundredth. */
  private static final double MUCH = 0.03;

  /** A median has at least so many. */
  private static final int FEWEST = 3;

  /** More are only measured as long as this is not over, or a busy host would take hours. */
  private static final Duration LONGEST = Duration.ofSeconds(100);

  private Rounds() {}

  /** Measures, says what it found, and answers how to write it down, should it count. */
  interface Round {
    Runnable measure(int n) throws InterruptedException;
  }

  /**
   * What one round left.
   *
   * @param n when it was measured
   * @param taken by others, of all processors
   */
  record Measured(int n, double taken, Runnable figures) {}

  /**
   * @param name of the part, for the row that says how much others took of the rounds that count
   * @param rounds that count; fewer on a slow machine
   */
  static void run(Bench bench, String name, int rounds, Round round) throws InterruptedException {
    var measured = new ArrayList<Measured>();
    long until = System.nanoTime() + LONGEST.toNanos();
    while (!isEnough(bench.quick(), measured, rounds, System.nanoTime() - until > 0)) {
      var stolen = new Stolen();
      int n = measured.size();
      Runnable figures = round.measure(n);
      measured.add(new Measured(n, stolen.share(), figures));
    }
    List<Measured> counting = bench.quick() ? measured : quietest(measured, rounds);
    bench.console().say("%s: %d of %d rounds count", name, counting.size(), measured.size());
    counting.forEach(one -> one.figures().run());
    bench
        .rows()
        .add(
            name + ".stolen_percent",
            "%",
            counting.stream().map(one -> one.taken() * 100).toList());
  }

  static boolean isEnough(boolean quick, List<Measured> measured, int rounds, boolean timeIsUp) {
    if (quick) {
      return measured.size() == rounds;
    }
    return quiet(measured) >= rounds || (timeIsUp && measured.size() >= FEWEST);
  }

  private static long quiet(List<Measured> measured) {
    return measured.stream().filter(one -> one.taken() <= MUCH).count();
  }

  /**
   * Those that were quiet, at most so many; where that is less than half of all, the quieter half.
   * In the order they were measured in.
   */
  static List<Measured> quietest(List<Measured> measured, int most) {
    long half = Math.max(FEWEST, Math.ceilDiv(measured.size(), 2));
    return measured.stream()
        .sorted(Comparator.comparingDouble(Measured::taken))
        .limit(Math.min(most, Math.max(half, quiet(measured))))
        .sorted(Comparator.comparingInt(Measured::n))
        .toList();
  }
}
