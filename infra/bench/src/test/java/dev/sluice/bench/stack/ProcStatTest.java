package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcStatTest {
  private static final String LINE =
      "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 900 80000 0 7 250 50 1000 200 20 0 5 0 123 456\n";

  @Test
  void theNameMayHaveSpacesAndBracketsInIt() {
    assertThat(ProcStat.parse(LINE)).isEqualTo(new ProcStat(300, 1200));
  }

  @Test
  void whatEndedChildrenUsedCountsToo() {
    assertThat(ProcStat.parse(LINE).seconds()).isEqualTo(15);
  }
}
