package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.sluice.bench.part.NeighbourPart.Pair;
import dev.sluice.bench.part.NeighbourPart.Run;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighbourPartTest {
  private static Run of(long nanos) {
    Run run = Run.none();
    run.all().recordValue(nanos);
    run.all().recordValue(10 * nanos);
    run.free().recordValue(nanos);
    return run;
  }

  @Test
  void pairsAreSpreadOverTheSamplesAndNoneIsLost() {
    List<Pair> pairs =
        IntStream.range(0, 7).mapToObj(n -> new Pair(of(100 + n), of(200 + n))).toList();
    List<Pair> samples = NeighbourPart.pooled(pairs, 3);
    for (Function<Pair, Run> side : List.<Function<Pair, Run>>of(Pair::alone, Pair::beside)) {
      List<Run> runs = samples.stream().map(side).toList();
      assertThat(runs).extracting(r -> r.free().getTotalCount()).containsExactly(3L, 2L, 2L);
      assertThat(runs).extracting(r -> r.all().getTotalCount()).containsExactly(6L, 4L, 4L);
    }
    assertThat(samples)
        .extracting(s -> s.alone().free().getMaxValue())
        .containsExactly(106L, 104L, 105L);
    assertThat(samples)
        .extracting(s -> s.beside().free().getMaxValue())
        .containsExactly(206L, 204L, 205L);
  }

  @Test
  void whatWasHeldUpIsNotInTheRatioButInItsOwn() {
    Run slowed = of(300);
    slowed.all().recordValue(90_000);
    var pair = new Pair(of(100), slowed);
    assertThat(pair.ratio(99)).isCloseTo(3, withPercentage(1));
    assertThat(pair.ratioOfAll()).isCloseTo(90, withPercentage(1));
    assertThat(pair.heldUpPercent()).isCloseTo(60, withPercentage(1));
  }

  @Test
  void moreAreMeasuredUntilEnoughCountOnBothSides() {
    Pair enough = new Pair(many(NeighbourPart.ENOUGH), many(NeighbourPart.ENOUGH));
    Pair alone = new Pair(many(NeighbourPart.ENOUGH), many(NeighbourPart.ENOUGH - 1));
    assertThat(NeighbourPart.isEnough(List.of(enough), 10)).isTrue();
    assertThat(NeighbourPart.isEnough(List.of(alone), 10)).isFalse();
    assertThat(NeighbourPart.isEnough(List.of(alone, of(100, 100)), 10)).isTrue();
    assertThat(NeighbourPart.isEnough(Collections.nCopies(10, of(100, 100)), 10)).isTrue();
  }

  @Test
  void whereHardlyAnyCountsAllDo() {
    Pair none = new Pair(many(50), of(7));
    assertThat(none.hasFree()).isFalse();
    assertThat(none.asIfFree().beside().free().getTotalCount()).isEqualTo(2);
    assertThat(new Pair(many(50), many(50)).hasFree()).isTrue();
  }

  private static Pair of(long alone, long beside) {
    return new Pair(of(alone), of(beside));
  }

  private static Run many(int count) {
    Run run = Run.none();
    run.free().recordValueWithCount(100, count);
    return run;
  }
}
