package dev.sluice.bench.model;

import java.util.Arrays;
import java.util.List;

/**
 * Fits y = c0·x0 + c1·x1 + … to what was measured, by the relative error: a batch of one that takes
 * 3 ms counts as much as one of 400 that takes 60 ms, or the noise of the large ones would decide
 * what a small one costs.
 */
public final class LeastSquares {
  private LeastSquares() {}

  /** One measurement: a 1 for what is fixed, then how many of each, and what it took. */
  public record Point(double y, double... x) {}

  public static double[] fit(List<Point> points) {
    int n = points.getFirst().x().length;
    double[][] equations = new double[n][n + 1];
    for (Point point : points) {
      double weight = 1 / Math.max(point.y() * point.y(), Double.MIN_NORMAL);
      for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
          equations[row][column] += weight * point.x()[row] * point.x()[column];
        }
        equations[row][n] += weight * point.x()[row] * point.y();
      }
    }
    return solve(equations);
  }

  /** Nothing takes less than no time: who comes out below zero is left out, and the rest fitted. */
  public static double[] fitNotNegative(List<Point> points) {
    int n = points.getFirst().x().length;
    boolean[] out = new boolean[n];
    for (int round = 0; round < n; round++) {
      double[] fitted = spread(fit(without(points, out)), out);
      int worst = lowest(fitted);
      if (fitted[worst] >= 0) {
        return fitted;
      }
      out[worst] = true;
    }
    return new double[n];
  }

  private static List<Point> without(List<Point> points, boolean[] out) {
    return points.stream().map(point -> new Point(point.y(), kept(point.x(), out))).toList();
  }

  private static double[] kept(double[] x, boolean[] out) {
    double[] kept = new double[x.length];
    int n = 0;
    for (int i = 0; i < x.length; i++) {
      if (!out[i]) {
        kept[n++] = x[i];
      }
    }
    return Arrays.copyOf(kept, n);
  }

  private static double[] spread(double[] fitted, boolean[] out) {
    double[] all = new double[out.length];
    int n = 0;
    for (int i = 0; i < all.length; i++) {
      all[i] = out[i] ? 0 : fitted[n++];
    }
    return all;
  }

  private static int lowest(double[] values) {
    int lowest = 0;
    for (int i = 1; i < values.length; i++) {
      lowest = values[i] < values[lowest] ? i : lowest;
    }
    return lowest;
  }

  /** Gauss, with the largest pivot. */
  private static double[] solve(double[][] equations) {
    int n = equations.length;
    for (int step = 0; step < n; step++) {
      int pivot = step;
      for (int row = step + 1; row < n; row++) {
        pivot = Math.abs(equations[row][step]) > Math.abs(equations[pivot][step]) ? row : pivot;
      }
      double[] chosen = equations[pivot];
      equations[pivot] = equations[step];
      equations[step] = chosen;
      for (int row = 0; row < n; row++) {
        if (row != step) {
          double factor = equations[row][step] / chosen[step];
          for (int column = step; column <= n; column++) {
            equations[row][column] -= factor * chosen[column];
          }
        }
      }
    }
    double[] solution = new double[n];
    for (int i = 0; i < n; i++) {
      solution[i] = equations[i][n] / equations[i][i];
    }
    return solution;
  }
}
