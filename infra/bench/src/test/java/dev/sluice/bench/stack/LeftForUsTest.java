package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeftForUsTest {
  @Test
  void whoWaitsForADiskLeavesItsProcessorToUs() {
    assertThat(LeftForUs.idleSeconds("cpu  100 0 200 1000 50 0 7 3 0 0")).isEqualTo(10.5);
  }

  @Test
  void itIsNeverMoreThanThereAre() {
    assertThat(new LeftForUs().cores())
        .isBetween(0.0, (double) Runtime.getRuntime().availableProcessors());
  }
}
