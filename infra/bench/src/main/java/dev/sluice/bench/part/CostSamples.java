package dev.sluice.bench.part;

import dev.sluice.bench.model.Cost;
import dev.sluice.bench.model.LeastSquares;
import dev.sluice.bench.model.LeastSquares.Point;
import dev.sluice.bench.model.Line;
import dev.sluice.bench.report.Rows;
import dev.sluice.bench.report.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The batches of one step. Each size counts with the median of its passes, which is the mean where
 * there are two of them, and one line is fitted to all sizes: the medians of several fits, each
 * with an error of its own in what is fixed and what is not, would belong to no line at all.
 */
final class CostSamples {
  private final String step;
  private final boolean byWorkspace;
  private final Map<Size, List<Meter.Taken>> taken = new LinkedHashMap<>();

  private record Size(int items, int workspaces) {}

  /**
   * @param byWorkspace whether the number of workspaces counts, too
   */
  CostSamples(String step, boolean byWorkspace) {
    this.step = step;
    this.byWorkspace = byWorkspace;
  }

  void add(int items, int workspaces, Meter.Taken one) {
    taken.computeIfAbsent(new Size(items, workspaces), size -> new ArrayList<>()).add(one);
  }

  /** Of the passes from the one to the other alone; the first has number 0. */
  CostSamples of(int firstPass, int lastPass) {
    var some = new CostSamples(step, byWorkspace);
    taken.forEach(
        (size, passes) ->
            some.taken.put(size, new ArrayList<>(passes.subList(firstPass, lastPass + 1))));
    return some;
  }

  Cost cost() {
    return new Cost(fit(Meter.Taken::cpu), fit(Meter.Taken::wall));
  }

  /** Of this JVM's share in {@link Cost#cpu}. */
  Line jvm() {
    return fit(Meter.Taken::jvm);
  }

  private Line fit(ToDoubleFunction<Meter.Taken> what) {
    var points = new ArrayList<Point>();
    taken.forEach(
        (size, passes) -> {
          double median =
              Statistics.median(passes.stream().map(t -> what.applyAsDouble(t)).toList());
          double y = Math.max(1e-6, median);
          points.add(
              byWorkspace
                  ? new Point(y, 1, size.items(), size.workspaces())
                  : new Point(y, 1, size.items()));
        });
    double[] fitted = LeastSquares.fitNotNegative(points);
    return new Line(fitted[0], fitted[1], byWorkspace ? fitted[2] : 0);
  }

  void show(Rows rows) {
    show(rows, "", cost().wall());
    show(rows, "cpu_", cost().cpu());
    show(rows, "jvm_cpu_", jvm());
  }

  private void show(Rows rows, String kind, Line line) {
    String name = "cost." + step + "_" + kind;
    rows.add(name + "fixed_ms", "ms", List.of(line.fixed() * 1000));
    rows.add(name + "per_item_ms", "ms", List.of(line.perItem() * 1000));
    if (byWorkspace) {
      rows.add(name + "per_workspace_ms", "ms", List.of(line.perWorkspace() * 1000));
    }
  }
}
