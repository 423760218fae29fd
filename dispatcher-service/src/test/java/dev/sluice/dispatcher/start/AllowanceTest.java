package dev.sluice.dispatcher.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private long now;
  private final Allowance allowance = new Allowance(100, () -> now);

  @Test
  void theLeastWhileNothingOrLittleIsStarted() {
    assertThat(allowance.most()).isEqualTo(100);
    start(20);
    assertThat(allowance.most()).isEqualTo(100);
  }

  @Test
  void asManyAsGoWithinASecond() {
    start(60);
    assertThat(allowance.most()).isEqualTo(240);
    pass(Duration.ofMillis(260));
    assertThat(allowance.most()).as("by the quarter before").isEqualTo(240);
    start(70);
    assertThat(allowance.most()).isEqualTo(280);
  }

  @Test
  void neverMoreThanFourTimesTheLeast() {
    start(10_000);
    assertThat(allowance.most()).isEqualTo(400);
  }

  @Test
  void outOfTurnAsManyAsGoWithinAFifthOfASecond() {
    start(60);
    assertThat(allowance.mostOutOfTurn()).isEqualTo(100);
    start(190);
    assertThat(allowance.mostOutOfTurn()).isEqualTo(200);
  }

  @Test
  void theLeastAgainAfterAPause() {
    start(60);
    pass(Duration.ofSeconds(2));
    assertThat(allowance.most()).isEqualTo(100);
  }

  @Test
  void whatOneMayHaveOfItGrowsWithIt() {
    assertThat(allowance.shareOf(10)).isEqualTo(10);
    start(60);
    assertThat(allowance.shareOf(10)).isEqualTo(24);
  }

  private void start(int count) {
    IntStream.range(0, count).forEach(i -> allowance.started());
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
