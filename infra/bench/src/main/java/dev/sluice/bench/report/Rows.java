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

  public boolean anyFarOff() {
    return all().stream()
        .anyMatch(row -> Goal.of(row.name()).map(g -> g.isFarOff(row.value())).orElse(false));
  }
}
