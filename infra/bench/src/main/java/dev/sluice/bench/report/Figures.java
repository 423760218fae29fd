package dev.sluice.bench.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {
  private Figures() {}

  /** About three digits that count. */
  public static String show(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
    return size == Math.rint(size) && size < 100
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, format, value);
  }
}
