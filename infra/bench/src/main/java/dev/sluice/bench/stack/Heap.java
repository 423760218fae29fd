package dev.sluice.bench.stack;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Of this JVM, where the dispatcher runs beside the broker and the load. */
public final class Heap {
  private Heap() {}

  /** What is really held: everything that can go is gone. */
  public static double megabytesAfterFullGc() {
    clear();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }

  /**
   * So that no run pays for what another left. It is not the pauses alone: whether a collection
   * falls into a run decides how the in-memory Temporal's list of open workflows lies in memory,
   * and with that how long each start takes to walk along it.
   */
  public static void clear() {
    ManagementFactory.getMemoryMXBean().gc();
  }

  /** Time that collections have taken so far. */
  public static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(millis -> millis > 0) // -1: the collector does not tell
        .sum();
  }
}
