package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.part.NeighbourPart.Pair;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class NeighbourPartTest {
  private static Histogram of(long nanos) {
    Histogram latencies = OpenLoop.noLatencies();
    latencies.recordValue(nanos);
    return latencies;
  }

  @Test
  void pairsAreSpreadOverTheSamplesAndNoneIsLost() {
    List<Pair> pairs =
        IntStream.range(0, 7).mapToObj(n -> new Pair(of(100 + n), of(200 + n))).toList();
    List<Pair> samples = NeighbourPart.pooled(pairs, 3);
    assertThat(samples).extracting(s -> s.alone().getTotalCount()).containsExactly(3L, 2L, 2L);
    assertThat(samples).extracting(s -> s.beside().getTotalCount()).containsExactly(3L, 2L, 2L);
    assertThat(samples).extracting(s -> s.alone().getMaxValue()).containsExactly(106L, 104L, 105L);
    assertThat(samples).extracting(s -> s.beside().getMaxValue()).containsExactly(206L, 204L, 205L);
  }
}
