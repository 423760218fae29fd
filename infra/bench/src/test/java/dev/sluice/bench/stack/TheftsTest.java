package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TheftsTest {
  @Test
  void aTheftCountsForAllWhoseTimeItTouches() {
    var thefts = new Thefts();
    thefts.noticed(100, 110);
    thefts.noticed(200, 260);
    assertThat(thefts.between(0, 99)).isFalse();
    assertThat(thefts.between(0, 100)).isTrue();
    assertThat(thefts.between(105, 106)).isTrue();
    assertThat(thefts.between(110, 150)).isTrue();
    assertThat(thefts.between(111, 199)).isFalse();
    assertThat(thefts.between(120, 400)).isTrue();
    assertThat(thefts.between(259, 400)).isTrue();
    assertThat(thefts.between(261, 400)).isFalse();
  }

  @Test
  void whereNothingWasTakenNothingIsFound() {
    assertThat(new Thefts().between(0, Long.MAX_VALUE)).isFalse();
  }
}
