package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StolenTest {
  @Test
  void theEighthFieldIsWhatOthersTook() {
    assertThat(Stolen.ticks("cpu  100 1 20 300 5 6 7 61 9 9")).isEqualTo(new Stolen.Ticks(61, 500));
  }

  @Test
  void aSystemThatDoesNotTellIsTakenForQuiet() {
    assertThat(Stolen.ticks("")).isEqualTo(new Stolen.Ticks(0, 0));
  }
}
