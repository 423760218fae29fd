package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;

/** Raw starts are measured at their best, so the best is looked for first. */
final class RawConcurrency {
  private static final int[] CANDIDATES = {16, 32, 64, 128};

  private RawConcurrency() {}

  static int best(Bench bench, String temporalAddress, int probes) throws InterruptedException {
    int best = CANDIDATES[0];
    double bestRate = 0;
    try (var raw = RawStarts.with(temporalAddress)) {
      var _ = raw.rate(2 * probes, 32); // warm
      for (int candidate : CANDIDATES) {
        double rate = raw.rate(probes, candidate);
        bench.console().say("raw starts, %d at a time: %,.0f/s", candidate, rate);
        if (rate > bestRate) {
          bestRate = rate;
          best = candidate;
        }
      }
    }
    return best;
  }
}
