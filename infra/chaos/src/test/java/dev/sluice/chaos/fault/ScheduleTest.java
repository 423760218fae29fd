package dev.sluice.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  @Test
  void theSameSeedGivesTheSameFaults() {
    assertThat(first(30, Schedule.ofAll(7))).isEqualTo(first(30, Schedule.ofAll(7)));
    assertThat(first(30, Schedule.ofAll(7))).isNotEqualTo(first(30, Schedule.ofAll(8)));
  }

  @Test
  void everyKindComesBeforeAnyComesAgain() {
    int kinds = FaultKind.values().length;

    assertThat(first(kinds, Schedule.ofAll(1))).containsExactlyInAnyOrder(FaultKind.values());
    assertThat(first(FaultKind.SHORT.size(), Schedule.brief(1)))
        .containsExactlyInAnyOrderElementsOf(FaultKind.SHORT);
  }

  private static List<FaultKind> first(int count, Schedule schedule) {
    return Stream.generate(schedule::next).limit(count).toList();
  }
}
