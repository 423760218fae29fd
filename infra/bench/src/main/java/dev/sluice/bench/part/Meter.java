package dev.sluice.bench.part;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.CpuTime;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;

/** How long something takes when it is alone, and what of the processors it uses. */
final class Meter {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Meter() {}

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
    void run(int n) throws InterruptedException;
  }

  static Taken of(int repetitions, Step step) throws InterruptedException {
    var walls = new ArrayList<Double>(repetitions);
    double cpu = CpuTime.seconds();
    double jvm = jvmSeconds();
    for (int n = 0; n < repetitions; n++) {
      long began = System.nanoTime();
      step.run(n);
      walls.add((System.nanoTime() - began) / 1e9);
    }
    double jvmUsed = jvmSeconds() - jvm;
    double used = CpuTime.seconds() - cpu;
    return new Taken(Statistics.median(walls), used / repetitions, jvmUsed / repetitions);
  }

  static double jvmSeconds() {
    return SYSTEM.getProcessCpuTime() / 1e9;
  }
}
