package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.part.BacklogPart.Wave;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogPartTest {
  @Test
  void wavesCountByWhatOthersTookNotByHowFastTheyWere() {
    var waves = List.of(new Wave(1, 0.3), new Wave(9, 0), new Wave(2, 0.2), new Wave(8, 0.1));
    assertThat(BacklogPart.ofQuieterHalf(waves)).containsExactly(9.0, 8.0);
    assertThat(BacklogPart.ofQuieterHalf(waves.subList(0, 3))).containsExactly(9.0, 2.0);
  }
}
