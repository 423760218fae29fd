package dev.sluice.bench.part;

import dev.sluice.bench.stack.Stolen;
import java.time.Duration;
import java.util.ArrayList;

/**
 * Rounds of a part. One in which other guests of this host took much of its processors says nothing
 * of what is compared: it is shown, and measured again, as long as there is time for that. Whether
 * it counts is decided by what was taken, never by what came out.
 */
final class Rounds {
  /** Of all processors. A quiet host takes less than a hundredth. */
  private static final double MUCH = 0.03;

  /** A median has at least so many. */
  private static final int FEWEST = 3;

  /** More are only measured as long as this is not over, or a slow machine would take hours. */
  private static final Duration LONGEST = Duration.ofMinutes(4);

  private Rounds() {}

  /** Measures, says what it found, and answers how to write it down, should it count. */
  interface Round {
    Runnable measure(int n) throws InterruptedException;
  }

  /**
   * @param name of the part, for the row that says how much others took of the rounds that count
   * @param rounds that count; fewer on a slow machine
   * @param again how many rounds more there are to spare, as long as the whole run has time to
   *     spare
   */
  static void run(Bench bench, String name, int rounds, int again, Round round)
      throws InterruptedException {
    var taken = new ArrayList<Double>();
    int left = again;
    long until = System.nanoTime() + LONGEST.toNanos();
    for (int n = 0; taken.size() < rounds; n++) {
      if (taken.size() >= FEWEST && System.nanoTime() - until > 0) {
        bench.console().say("%s: %d minutes are over, so that is all", name, LONGEST.toMinutes());
        break;
      }
      var stolen = new Stolen();
      long began = System.nanoTime();
      Runnable figures = round.measure(n);
      double share = stolen.share();
      if (share > MUCH && left > 0 && bench.hasTimeToSpare()) {
        left--;
        bench.spend(Duration.ofNanos(System.nanoTime() - began));
        bench
            .console()
            .say(
                "%s: others took %.0f %% of the processors, so this is measured again",
                name, share * 100);
      } else {
        figures.run();
        taken.add(share * 100);
      }
    }
    bench.rows().add(name + ".stolen_percent", "%", taken);
  }
}
