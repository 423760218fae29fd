package dev.sluice.bench.model;

/**
 * Of one step.
 *
 * @param cpu of all threads and processes together
 * @param wall how long it took when it was alone on the machine
 */
public record Cost(Line cpu, Line wall) {
  public static final Cost NOTHING = new Cost(Line.NOTHING, Line.NOTHING);

  Work of(int items, int workspaces) {
    return Work.of(cpu.at(items, workspaces), wall.at(items, workspaces));
  }
}
