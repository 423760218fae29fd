package dev.sluice.bench.part;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.dispatcher.ledger.EnterLedger;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** How long something takes when it is alone, and what of the processors it uses. */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * Before each small batch. Small ones come to a dispatcher that has rested for about so long:
   * threads have to be woken on processors that were idle, and find less of what they need in the
   * caches, so that each takes a multiple of what it takes in a loop that does nothing else.
   */
  private static final long REST_NANOS = 1_000_000;

  private final long restNanos;
  private final List<Double> walls = new ArrayList<>();
  private double cpu;
  private double jvm;

  /**
   * Seconds of one repetition.
   *
   * @param wall the median: who else used this machine meanwhile shows in a few of them
   * @param cpu of this JVM and PostgreSQL, the mean
   * @param jvm of that, this JVM
   */
  record Taken(double wall, double cpu, double jvm) {}

  /** Does it for the nth time. */
  interface Step {
    void run(int n);
  }

  private Meter(long restNanos) {
    this.restNanos = restNanos;
  }

  /** For batches of so many. */
  static Meter of(int items) {
    return new Meter(items <= EnterLedger.FEW ? REST_NANOS : 0);
  }

  Taken measure(int repetitions, Step step) {
    run(0, repetitions, step);
    return taken();
  }

  /** From the one number to before the other. Several of these count together. */
  void run(int from, int to, Step step) {
    double cpuBefore = CpuTime.seconds();
    double jvmBefore = jvmSeconds();
    for (int n = from; n < to; n++) {
      if (restNanos > 0) {
        LockSupport.parkNanos(restNanos);
      }
      long began = System.nanoTime();
      step.run(n);
      walls.add((System.nanoTime() - began) / 1e9);
    }
    jvm += jvmSeconds() - jvmBefore;
    cpu += CpuTime.seconds() - cpuBefore;
  }

  Taken taken() {
    return new Taken(Statistics.median(walls), cpu / walls.size(), jvm / walls.size());
  }

  private static double jvmSeconds() {
    return SYSTEM.getProcessCpuTime() / 1e9;
  }
}
