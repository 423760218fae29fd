package dev.sluice.bench.part;

import dev.sluice.bench.model.Cost;
import dev.sluice.bench.model.LeastSquares;
import dev.sluice.bench.model.LeastSquares.Point;
import dev.sluice.bench.model.Line;
import dev.sluice.bench.report.Rows;
import dev.sluice.bench.report.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The batches of one step, fitted once a pass; the cost is the median of the passes. */
final class CostSamples {
  private final String step;
  private final boolean byWorkspace;
  private final List<Line> wall = new ArrayList<>();
  private final List<Line> cpu = new ArrayList<>();
  private final List<Line> jvm = new ArrayList<>();

  /**
   * @param byWorkspace whether the number of workspaces counts, too
   */
  CostSamples(String step, boolean byWorkspace) {
    this.step = step;
    this.byWorkspace = byWorkspace;
  }

  /** A batch of so many items and workspaces, and what it took. */
  record Sized(int items, int workspaces, Meter.Taken taken) {}

  void pass(List<Sized> batches) {
    wall.add(fit(batches, Meter.Taken::wall));
    cpu.add(fit(batches, Meter.Taken::cpu));
    jvm.add(fit(batches, Meter.Taken::jvm));
  }

  private Line fit(List<Sized> batches, ToDoubleFunction<Meter.Taken> what) {
    List<Point> points =
        batches.stream()
            .map(
                batch -> {
                  double y = Math.max(1e-6, what.applyAsDouble(batch.taken()));
                  return byWorkspace
                      ? new Point(y, 1, batch.items(), batch.workspaces())
                      : new Point(y, 1, batch.items());
                })
            .toList();
    double[] fitted = LeastSquares.fitNotNegative(points);
    return new Line(fitted[0], fitted[1], byWorkspace ? fitted[2] : 0);
  }

  Cost cost() {
    return new Cost(median(cpu), median(wall));
  }

  /** Of this JVM's share in {@link Cost#cpu}. */
  Line jvm() {
    return median(jvm);
  }

  void show(Rows rows) {
    show(rows, "", wall);
    show(rows, "cpu_", cpu);
    show(rows, "jvm_cpu_", jvm);
  }

  private void show(Rows rows, String kind, List<Line> lines) {
    String name = "cost." + step + "_" + kind;
    rows.add(name + "fixed_ms", "ms", millis(lines, Line::fixed));
    rows.add(name + "per_item_ms", "ms", millis(lines, Line::perItem));
    if (byWorkspace) {
      rows.add(name + "per_workspace_ms", "ms", millis(lines, Line::perWorkspace));
    }
  }

  private static List<Double> millis(List<Line> lines, ToDoubleFunction<Line> of) {
    return lines.stream().map(line -> of.applyAsDouble(line) * 1000).toList();
  }

  private static Line median(List<Line> lines) {
    Function<ToDoubleFunction<Line>, Double> of =
        part -> Statistics.median(lines.stream().map(part::applyAsDouble).toList());
    return new Line(of.apply(Line::fixed), of.apply(Line::perItem), of.apply(Line::perWorkspace));
  }
}
