package dev.sluice.chaos.load;

import java.util.ArrayList;
import java.util.List;

/**
 * A tenant of the run.
 *
 * @param perSecond requests of its producer, on average
 */
public record Workspace(String id, String plan, int limit, double perSecond) {

  /** All plans, each with as much load as leaves it room to catch up after an outage. */
  public static List<Workspace> ofRun(double perSecondInAll) {
    var all = new ArrayList<Workspace>();
    double part = perSecondInAll / 24;
    for (int i = 1; i <= 6; i++) {
      all.add(new Workspace("one-" + i, "FREE", 1, part));
    }
    for (int i = 1; i <= 4; i++) {
      all.add(new Workspace("five-" + i, "PRO", 5, 3 * part));
    }
    for (int i = 1; i <= 2; i++) {
      all.add(new Workspace("twenty-" + i, "ENTERPRISE", 20, 3 * part));
    }
    return all;
  }
}
