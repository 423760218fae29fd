package dev.sluice.bench.model;

/** Seconds: so much whatever comes, so much for each item, and for each workspace it is for. */
public record Line(double fixed, double perItem, double perWorkspace) {
  public static final Line NOTHING = new Line(0, 0, 0);

  public double at(int items, int workspaces) {
    return fixed + items * perItem + workspaces * perWorkspace;
  }
}
