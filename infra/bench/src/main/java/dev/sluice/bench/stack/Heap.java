package dev.sluice.bench.stack;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Of this JVM, where the dispatcher runs beside the broker and the load. */
public final class Heap {
  private Heap() {}

  /** What is really held: everything that can go is gone. */
  public static double megabytesAfterFullGc() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() / 1e6;
  }

  /** Time that collections have taken so far. */
  public static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(millis -> millis > 0) // -1: the collector does not tell
        .sum();
  }
}
