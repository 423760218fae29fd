package dev.sluice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianIsTheMiddleWhateverTheOrder() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
  }

  @Test
  void nothingMeasuredIsNoFigure() {
    assertThatThrownBy(() -> Statistics.median(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSpreadIsFromTheLeastToTheLargest() {
    assertThat(Statistics.least(List.of(3.0, 1.0))).isEqualTo(1);
    assertThat(Statistics.largest(List.of(3.0, 1.0))).isEqualTo(3);
  }
}
