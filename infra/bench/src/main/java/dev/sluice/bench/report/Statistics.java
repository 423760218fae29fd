package dev.sluice.bench.report;

import java.util.List;

/** Of a few figures. */
public final class Statistics {
  private Statistics() {}

  /** The middle one, or the mean of the two in the middle. */
  public static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public static double least(List<Double> values) {
    return values.stream().mapToDouble(v -> v).min().orElseThrow();
  }

  public static double largest(List<Double> values) {
    return values.stream().mapToDouble(v -> v).max().orElseThrow();
  }
}
