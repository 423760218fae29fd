package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RawConcurrencyTest {
  private static final List<Integer> CANDIDATES = List.of(8, 16, 32, 64);

  private final List<Integer> asked = new ArrayList<>();

  @Test
  void theLargestSumOfAllPassesWins() throws InterruptedException {
    // 64 is the fastest in the first pass, 8 in the second, and 16 in both together.
    double[] rates = {100, 180, 150, 190, 80, 150, 180, 185};
    int best = RawConcurrency.best(CANDIDATES, 2, concurrency -> next(rates, concurrency));
    assertThat(asked).containsExactly(8, 16, 32, 64, 64, 32, 16, 8);
    assertThat(best).isEqualTo(16);
  }

  @Test
  void aMachineThatGetsSlowerFavoursNobody() throws InterruptedException {
    double[] rates = {1000, 900, 801, 700, 600, 501, 400, 300}; // 100 less each time, 32 one more
    int best = RawConcurrency.best(CANDIDATES, 2, concurrency -> next(rates, concurrency));
    assertThat(best).isEqualTo(32);
  }

  private double next(double[] rates, int concurrency) {
    asked.add(concurrency);
    return rates[asked.size() - 1];
  }
}
