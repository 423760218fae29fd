package dev.sluice.bench.stack;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The JVM's compiler. It keeps half a core of two busy for minutes before it has compiled what is
 * used, and what is measured meanwhile is a machine with three quarters of its processors.
 */
public final class Compiler {
  /** Of a core. */
  private static final double AT_REST = 0.05;

  private Compiler() {}

  /** Something to do that uses what will be measured. */
  public interface Work {
    void run() throws InterruptedException;
  }

  /** Does the work again and again until there is little left to compile, or for so long. */
  public static void bringToRest(Work work, Duration longest) throws InterruptedException {
    long until = System.nanoTime() + longest.toNanos();
    double busy;
    do {
      long began = System.nanoTime();
      long before = compiledMillis();
      work.run();
      busy = (compiledMillis() - before) * 1e6 / (System.nanoTime() - began);
    } while (busy > AT_REST && System.nanoTime() - until < 0);
  }

  /** Of processors that it has used so far, about. */
  static double seconds() {
    return compiledMillis() / 1000.0;
  }

  private static long compiledMillis() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }
}
