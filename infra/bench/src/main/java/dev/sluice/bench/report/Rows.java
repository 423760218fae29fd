package dev.sluice.bench.report;

import java.util.ArrayList;
import java.util.List;

/** What was measured so far, in the order it was. */
public final class Rows {
  private final List<Row> rows = new ArrayList<>();

  public synchronized void add(String name, String unit, List<Double> samples) {
    rows.add(Row.of(name, unit, samples));
  }

  public synchronized List<Row> all() {
    return List.copyOf(rows);
  }

  /** Those that a guard against regressions fails for. */
  public List<Row> farOff() {
    return all().stream()
        .filter(row -> Goal.of(row.name()).map(g -> g.isFarOff(row.samples())).orElse(false))
        .toList();
  }
}
