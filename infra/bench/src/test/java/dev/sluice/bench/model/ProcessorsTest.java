package dev.sluice.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorsTest {
  private final List<Double> ends = new ArrayList<>();

  private Processors processors(double cores) {
    return new Processors(cores);
  }

  @Test
  void whoIsAloneHasOneProcessorAndNoMore() {
    var processors = processors(8);
    processors.run(new Work(3, 0), () -> ends.add(processors.now()));
    assertThat(processors.until(() -> ends.size() == 1)).isTrue();
    assertThat(ends.getFirst()).isCloseTo(3, within(1e-9));
  }

  @Test
  void severalShareEqually() {
    var processors = processors(2);
    // Four on two, half a processor each: the short ones end at 2; then one each for the long ones.
    for (double work : new double[] {1, 1, 3, 3}) {
      processors.run(new Work(work, 0), () -> ends.add(processors.now()));
    }
    assertThat(processors.until(() -> ends.size() == 4)).isTrue();
    assertThat(ends)
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1)
        .containsExactly(2.0, 2.0, 4.0, 4.0);
  }

  @Test
  void whoWaitsNeedsNoProcessor() {
    var processors = processors(1);
    processors.run(new Work(1, 5), () -> ends.add(processors.now()));
    processors.run(new Work(2, 0), () -> ends.add(processors.now()));
    assertThat(processors.until(() -> ends.size() == 2)).isTrue();
    // Both at half speed until 2, the second alone until 3; the first waits from 2 to 7.
    assertThat(ends.get(0)).isCloseTo(3, within(1e-9));
    assertThat(ends.get(1)).isCloseTo(7, within(1e-9));
  }

  @Test
  void nobodyWaitsForWhatIsDoneAside() {
    var processors = processors(2);
    processors.run(Work.of(4, 1), () -> ends.add(processors.now()));
    processors.run(new Work(2, 0), () -> ends.add(processors.now()));
    assertThat(processors.until(() -> ends.size() == 2)).isTrue();
    // What it does aside has one processor; the first and the second share the other until 2.
    assertThat(ends.get(0)).isCloseTo(2, within(1e-9));
    assertThat(ends.get(1)).isCloseTo(3, within(1e-9));
  }

  @Test
  void whoIsWokenSharesTheProcessorOfHisWakerUntilAnIdleOneTakesHimOver() {
    var processors = processors(2);
    var brief = new Work(0.0004, 0);
    processors.run(
        new Work(0.001, 0),
        () -> {
          processors.run(brief, () -> ends.add(processors.now()));
          processors.run(brief, () -> ends.add(processors.now()));
        });
    assertThat(processors.until(() -> ends.size() == 2)).isTrue();
    // Half a processor each, for half a millisecond, though the other is idle; then one each.
    assertThat(ends.get(0)).isCloseTo(0.001 + 0.0005 + 0.00015, within(1e-9));
    assertThat(ends.get(1)).isCloseTo(0.001 + 0.0005 + 0.00015, within(1e-9));
  }

  @Test
  void whoComesByAnAlarmGoesToAnIdleProcessor() {
    var processors = processors(2);
    processors.run(new Work(0.001, 0), () -> ends.add(processors.now()));
    for (int i = 1; i <= 2; i++) {
      processors.after(
          0.0001, () -> processors.run(new Work(0.0001, 0), () -> ends.add(processors.now())));
    }
    assertThat(processors.until(() -> ends.size() == 3)).isTrue();
    // The first of the two is alone on the second processor; the other goes to one of them.
    assertThat(ends.getFirst()).isLessThanOrEqualTo(0.0003 + 1e-9);
  }

  @Test
  void itEndsWhenThereIsNothingLeftToDo() {
    assertThat(processors(1).until(() -> false)).isFalse();
  }
}
