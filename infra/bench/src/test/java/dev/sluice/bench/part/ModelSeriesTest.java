package dev.sluice.bench.part;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.Console;
import dev.sluice.bench.model.Cost;
import dev.sluice.bench.model.Costs;
import dev.sluice.bench.model.EnterCost;
import dev.sluice.bench.model.KafkaCost;
import dev.sluice.bench.model.Line;
import dev.sluice.bench.model.StartCost;
import dev.sluice.bench.model.Work;
import dev.sluice.bench.part.ModelPoint.Seen;
import dev.sluice.bench.report.Row;
import dev.sluice.bench.report.Rows;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ModelSeriesTest {
  private static final Percentage CLOSELY = Percentage.withPercentage(5);

  private final Rows rows = new Rows();
  private final Console silent =
      new Console(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));

  /** Starts that take a processor for so long, and nothing else. */
  private static Costs of(double secondsOfAStart) {
    var start = new Cost(new Line(0, secondsOfAStart, 0), new Line(secondsOfAStart, 0, 0));
    Cost no = Cost.NOTHING;
    return new Costs(
        2,
        0,
        KafkaCost.NOTHING,
        no,
        EnterCost.NOTHING,
        no,
        no,
        StartCost.unbounded(start),
        Work.NONE);
  }

  @Test
  void eachRoundIsPredictedWithItsOwnCostsAndCores() {
    try (var bench = new Bench(silent, rows, true)) {
      var point = new ModelPoint("point", 5_000, 500, false);
      var series = new ModelSeries();
      series.add(bench, point.name(), "items/s", new Seen(1_000, 1, 1), point::predictRate);
      series.add(bench, point.name(), "items/s", new Seen(1_000, 2, 1), point::predictRate);
      List<Costs> costs = List.of(of(0.001), of(0.004));
      series.show(bench, costs::get);
    }
    List<Double> predicted = row("model.point_predicted").samples();
    assertThat(predicted).hasSize(2);
    assertThat(predicted.getFirst()).isCloseTo(1_000, CLOSELY);
    assertThat(predicted.getLast()).isCloseTo(500, CLOSELY);
  }

  private Row row(String name) {
    return rows.all().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }
}
