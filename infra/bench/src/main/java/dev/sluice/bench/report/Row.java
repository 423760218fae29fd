package dev.sluice.bench.report;

import java.util.List;

/**
 * A figure under the name that API.md gives it.
 *
 * @param samples one of each run; the value is their median
 */
public record Row(String name, double value, String unit, List<Double> samples) {
  public Row {
    samples = List.copyOf(samples);
  }

  public static Row of(String name, String unit, List<Double> samples) {
    return new Row(name, Statistics.median(samples), unit, samples);
  }
}
