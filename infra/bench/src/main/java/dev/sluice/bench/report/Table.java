package dev.sluice.bench.report;

import java.util.List;
import java.util.Optional;

/** For people. */
public final class Table {
  private static final String LINE = "%-40s %10s %-10s %-21s %-9s %s%n";

  private Table() {}

  public static String of(List<Row> rows) {
    var text = new StringBuilder();
    text.append(LINE.formatted("row", "median", "unit", "spread (runs)", "goal", ""));
    for (Row row : rows) {
      Optional<Goal> goal = Goal.of(row.name());
      text.append(
          LINE.formatted(
              row.name(),
              Figures.show(row.value()),
              row.unit(),
              spread(row.samples()),
              goal.map(Goal::toString).orElse(""),
              goal.map(g -> g.isMet(row.value()) ? "met" : "MISSED").orElse("")));
    }
    return text.toString().replaceAll(" +\\n", "\n");
  }

  private static String spread(List<Double> samples) {
    return "%s … %s (%d)"
        .formatted(
            Figures.show(Statistics.least(samples)),
            Figures.show(Statistics.largest(samples)),
            samples.size());
  }
}
