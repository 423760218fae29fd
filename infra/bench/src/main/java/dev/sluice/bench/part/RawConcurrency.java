package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Raw starts are measured at their best, so the best is looked for first. */
final class RawConcurrency {
  private static final List<Integer> CANDIDATES = List.of(16, 32, 64, 128);
  private static final List<Integer> IN_MEMORY_CANDIDATES = List.of(8, 16, 32, 64);

  private RawConcurrency() {}

  /** Answers how many a second there are with so many at a time. */
  interface Probe {
    double rate(int concurrency) throws InterruptedException;
  }

  static int best(Bench bench, String temporalAddress, int probes) throws InterruptedException {
    try (var raw = RawStarts.with(temporalAddress)) {
      var _ = raw.rate(2 * probes, 32); // warm
      return best(CANDIDATES, 1, told(bench, candidate -> raw.rate(probes, candidate)));
    }
  }

  /**
   * Each candidate has a server of its own that gets half as full as in a round: what is best on an
   * empty one need not be on a full one.
   */
  static int inMemory(Bench bench, int starts) throws InterruptedException {
    Probe probe = candidate -> RawRun.onFreshServer(RawStarts::with, starts, candidate).perSecond();
    return best(IN_MEMORY_CANDIDATES, bench.either(1, 2), told(bench, probe));
  }

  private static Probe told(Bench bench, Probe probe) {
    return candidate -> {
      double rate = probe.rate(candidate);
      bench.console().say("raw starts, %d at a time: %,.0f/s", candidate, rate);
      return rate;
    };
  }

  /** There and back again: a machine that gets slower meanwhile favours nobody. */
  static int best(List<Integer> candidates, int passes, Probe probe) throws InterruptedException {
    var sums = new LinkedHashMap<Integer, Double>();
    for (int pass = 0; pass < passes; pass++) {
      for (int candidate : pass % 2 == 0 ? candidates : candidates.reversed()) {
        sums.merge(candidate, probe.rate(candidate), Double::sum);
      }
    }
    return Collections.max(sums.entrySet(), Map.Entry.comparingByValue()).getKey();
  }
}
