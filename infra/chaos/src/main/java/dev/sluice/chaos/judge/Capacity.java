package dev.sluice.chaos.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** How many runs were open at once: a sweep over their starts and closes. */
public final class Capacity {
  private Capacity() {}

  private record Change(Instant at, int by) {}

  /** A run is open from its start until just before its close. */
  public static int mostOpen(Collection<Run> runs) {
    int open = 0;
    int most = 0;
    for (Change change : changes(runs)) {
      open += change.by();
      most = Math.max(most, open);
    }
    return most;
  }

  /** Starts that took a workspace over its limit. */
  public static int startsOver(Collection<Run> runs, int limit) {
    int open = 0;
    int over = 0;
    for (Change change : changes(runs)) {
      open += change.by();
      if (change.by() > 0 && open > limit) {
        over++;
      }
    }
    return over;
  }

  /** The first instant from then on at which fewer than the limit were open. */
  public static Instant freeFrom(Collection<Run> runs, int limit, Instant from) {
    int open = 0;
    Instant free = from;
    for (Change change : changes(runs)) {
      if (change.at().isAfter(from) && open < limit) {
        return free;
      }
      open += change.by();
      free = change.at().isAfter(from) ? change.at() : from;
    }
    return open < limit ? free : Instant.MAX;
  }

  private static List<Change> changes(Collection<Run> runs) {
    var changes = new ArrayList<Change>();
    for (Run run : runs) {
      changes.add(new Change(run.started(), 1));
      if (run.closed() != null) {
        changes.add(new Change(run.closed(), -1));
      }
    }
    // At the same instant a close comes first.
    changes.sort(Comparator.comparing(Change::at).thenComparing(Change::by));
    return changes;
  }
}
