package dev.sluice.bench.part;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.CpuTime;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** How long something takes when it is alone, and what of the processors it uses. */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

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

  static Taken of(int repetitions, Step step) {
    var meter = new Meter();
    meter.run(0, repetitions, step);
    return meter.taken();
  }

  /** From the one number to before the other. Several of these count together. */
  void run(int from, int to, Step step) {
    double cpuBefore = CpuTime.seconds();
    double jvmBefore = jvmSeconds();
    for (int n = from; n < to; n++) {
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
