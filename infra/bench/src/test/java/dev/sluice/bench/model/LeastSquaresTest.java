package dev.sluice.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.bench.model.LeastSquares.Point;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {
  @Test
  void aLineIsFoundAgain() {
    double[] fitted =
        LeastSquares.fit(
            Stream.of(1, 10, 100, 400).map(n -> new Point(3 + 0.25 * n, 1, n)).toList());
    assertThat(fitted[0]).isCloseTo(3, within(1e-9));
    assertThat(fitted[1]).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void soIsOneOfItemsAndWorkspaces() {
    double[] fitted =
        LeastSquares.fit(
            Stream.of(
                    new int[] {1, 1}, new int[] {10, 1}, new int[] {400, 10}, new int[] {400, 200})
                .map(n -> new Point(2 + 0.1 * n[0] + 0.05 * n[1], 1, n[0], n[1]))
                .toList());
    assertThat(fitted).containsExactly(new double[] {2, 0.1, 0.05}, within(1e-9));
  }

  @Test
  void theNoiseOfALargeBatchDoesNotHideWhatASmallOneCosts() {
    double[] fitted =
        LeastSquares.fit(
            List.of(
                new Point(3.1, 1, 1),
                new Point(4, 1, 10),
                new Point(13, 1, 100),
                new Point(53, 1, 400)));
    assertThat(fitted[0] + fitted[1]).isCloseTo(3.1, within(0.2)); // by absolute error: 1.9
  }

  @Test
  void nothingCostsLessThanNothing() {
    List<Point> falling = List.of(new Point(3, 1, 1), new Point(2, 1, 10), new Point(1, 1, 20));
    assertThat(LeastSquares.fit(falling)[1]).isNegative();
    double[] fitted = LeastSquares.fitNotNegative(falling);
    assertThat(fitted[1]).isZero();
    assertThat(fitted[0]).isBetween(1.0, 3.0);
  }
}
