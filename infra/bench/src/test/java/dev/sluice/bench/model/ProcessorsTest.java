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
    // Three on two until 1.5, when the first is done; what it does aside goes on beside the second.
    assertThat(ends.get(0)).isCloseTo(1.5, within(1e-9));
    assertThat(ends.get(1)).isCloseTo(2.5, within(1e-9));
  }

  @Test
  void itEndsWhenThereIsNothingLeftToDo() {
    assertThat(processors(1).until(() -> false)).isFalse();
  }
}
