package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.bench.model.Line;
import org.junit.jupiter.api.Test;

class CostSamplesTest {
  private final CostSamples samples = new CostSamples("step", false);

  /** A pass of a machine on which everything takes so many times as long. */
  private void pass(double times) {
    for (int items : new int[] {1, 10, 100}) {
      double seconds = times * (0.002 + 0.001 * items);
      samples.add(items, 1, new Meter.Taken(2 * seconds, seconds, seconds / 2));
    }
  }

  private static void assertTimes(Line line, double times) {
    assertThat(line.fixed()).isCloseTo(0.002 * times, within(1e-9));
    assertThat(line.perItem()).isCloseTo(0.001 * times, within(1e-9));
  }

  @Test
  void twoPassesCountWithTheirMeanAndAllWithTheirMedian() {
    pass(1);
    pass(3);
    pass(4);
    pass(20);
    assertTimes(samples.of(0, 1).cost().cpu(), 2);
    assertTimes(samples.of(2, 3).cost().cpu(), 12);
    assertTimes(samples.of(2, 3).cost().wall(), 24);
    assertTimes(samples.of(2, 3).jvm(), 6);
    assertTimes(samples.cost().cpu(), 3.5);
    assertTimes(samples.of(0, 3).cost().cpu(), 3.5);
  }

  @Test
  void passesThatComeLaterAreNotInTheWindow() {
    pass(1);
    pass(3);
    var window = samples.of(0, 1);
    pass(20);
    assertTimes(window.cost().cpu(), 2);
  }
}
