package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.part.NeighbourPart.Slice;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighbourPartTest {
  @Test
  void aloneAndBesideTakeTurns() {
    assertThat(NeighbourPart.slices(0, 4))
        .extracting(Slice::burst)
        .containsExactly(false, true, true, false, false, true, true, false);
    assertThat(NeighbourPart.slices(3, 1)).containsExactly(new Slice(3, false), new Slice(3, true));
  }

  @Test
  void aSeedIsSharedByOnePairAlone() {
    var seeds =
        IntStream.range(0, 5)
            .boxed()
            .flatMap(round -> NeighbourPart.slices(round, 4).stream())
            .map(Slice::seed)
            .toList();
    assertThat(seeds)
        .containsExactlyElementsOf(IntStream.range(0, 40).mapToObj(n -> n / 2).toList());
  }
}
