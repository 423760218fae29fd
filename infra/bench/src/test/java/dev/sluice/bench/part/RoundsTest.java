package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.part.Rounds.Measured;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static List<Measured> measured(double... taken) {
    return IntStream.range(0, taken.length)
        .mapToObj(n -> new Measured(n, taken[n], () -> {}))
        .toList();
  }

  private static List<Integer> quietest(int count, double... taken) {
    return Rounds.quietest(measured(taken), count).stream().map(Measured::n).toList();
  }

  @Test
  void thoseCountOfWhichOthersTookLeastInTheirOrder() {
    assertThat(quietest(3, 0.2, 0.01, 0.4, 0.0, 0.02)).containsExactly(1, 3, 4);
  }

  @Test
  void whatWasDisturbedDoesNotCountWhereEnoughWasQuiet() {
    assertThat(quietest(9, 0, 0.2, 0, 0.01, 0, 0.4)).containsExactly(0, 2, 3, 4);
  }

  @Test
  void whereNothingWasQuietTheQuieterHalfCounts() {
    assertThat(quietest(9, 0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.8)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aMedianHasThree() {
    assertThat(quietest(9, 0.2, 0.1, 0.4, 0.3)).containsExactly(0, 1, 3);
    assertThat(quietest(9, 0.5, 0.1, 0.3)).containsExactly(0, 1, 2);
  }

  @Test
  void moreAreMeasuredUntilEnoughWereQuietOrTimeIsUp() {
    assertThat(Rounds.isEnough(false, measured(0, 0.2, 0), 3, false)).isFalse();
    assertThat(Rounds.isEnough(false, measured(0, 0.2, 0, 0), 3, false)).isTrue();
    assertThat(Rounds.isEnough(false, measured(0.2, 0.2, 0.2), 5, true)).isTrue();
  }

  @Test
  void aMedianHasThreeThoughTimeIsUp() {
    assertThat(Rounds.isEnough(false, measured(0.2, 0), 5, true)).isFalse();
  }

  @Test
  void whoHasLittleTimeTakesWhatThereIs() {
    assertThat(Rounds.isEnough(true, measured(0.2, 0.3), 3, true)).isFalse();
    assertThat(Rounds.isEnough(true, measured(0.2, 0.3, 0.4), 3, false)).isTrue();
  }

  @Test
  void amongEqualsTheFirstCount() {
    assertThat(quietest(2, 0, 0, 0)).containsExactly(0, 1);
  }
}
