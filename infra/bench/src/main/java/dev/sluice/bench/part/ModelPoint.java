package dev.sluice.bench.part;

import dev.sluice.bench.model.Simulation;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.LeftForUs;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One thing that is measured and predicted.
 *
 * @param atOnce Temporal is not asked
 */
record ModelPoint(String name, int items, int workspaces, boolean atOnce) {
  private static final String PREFIX = "w";
  private static final int WARM_UP = 500;
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(20);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  /**
   * @param cores that others left to us meanwhile
   * @param cpuMillis that we used for an item
   */
  record Seen(double value, double cores, double cpuMillis) {}

  /** Items a second. */
  Seen measureRate(Bench bench) throws InterruptedException {
    return measure(
        bench,
        Duration.ZERO,
        (probe, requests) -> {
          List<Requests.Request> batch = Requests.round(PREFIX, workspaces, items);
          long before = probe.started();
          long began = System.nanoTime();
          requests.send(batch);
          require(probe.awaitStarted(before + items, began + PATIENCE));
          return items / ((System.nanoTime() - began) / 1e9);
        });
  }

  double predictRate(Simulation simulation) {
    return simulation.rate(items, workspaces, atOnce);
  }

  /**
   * The median, in milliseconds; of a dispatcher that has done the same for a while, until the
   * JVM's compiler has come to rest.
   */
  Seen measureLatency(Bench bench, double perSecond, int seed) throws InterruptedException {
    return measure(
        bench,
        LONGEST_WARM_UP,
        (probe, requests) -> {
          List<Requests.Request> batch = Requests.round(PREFIX, workspaces, items);
          return LatencyPart.millis(OpenLoop.latency(probe, requests, batch, perSecond, seed), 50);
        });
  }

  /** For the same timetable. */
  double predictLatency(Simulation simulation, double perSecond, int seed) {
    double[] seconds =
        Arrays.stream(OpenLoop.timetable(perSecond, items, seed))
            .mapToDouble(t -> t / 1e9)
            .toArray();
    return simulation.medianLatency(seconds, workspaces) * 1000;
  }

  private interface Measured {
    double of(StartProbe probe, Requests requests);
  }

  /**
   * @param warmUp the longest; what is done then does not count
   */
  private Seen measure(Bench bench, Duration warmUp, Measured what) throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        Tables tables = bench.servers().tables();
        Requests requests = new Requests(bench.servers().kafka())) {
      tables.workspaces(PREFIX, workspaces, 1_000_000);
      tables.analyze();
      var probe = new StartProbe(atOnce);
      String polls = "--sluice.finish.long-polls=" + (atOnce ? 0 : 200);
      try (var dispatcher =
          new Dispatcher(bench.servers().kafka(), tables, temporal.address(), probe, polls)) {
        requests.send(Requests.round(PREFIX, workspaces, WARM_UP));
        require(dispatcher.awaitSettled(WARM_UP, System.nanoTime() + PATIENCE));
        var runs = new AtomicInteger();
        if (warmUp.isPositive()) {
          Compiler.bringToRest(
              () -> {
                var _ = seen(dispatcher, probe, requests, runs.incrementAndGet(), what);
              },
              warmUp);
        }
        return seen(dispatcher, probe, requests, runs.incrementAndGet(), what);
      }
    }
  }

  private Seen seen(
      Dispatcher dispatcher, StartProbe probe, Requests requests, int run, Measured what) {
    var left = new LeftForUs();
    double cpu = CpuTime.seconds();
    double value = what.of(probe, requests);
    double cores = left.cores();
    double cpuMillis = (CpuTime.seconds() - cpu) * 1000 / items;
    require(dispatcher.awaitSettled(WARM_UP + (long) run * items, System.nanoTime() + PATIENCE));
    return new Seen(value, cores, cpuMillis);
  }

  private static void require(boolean inTime) {
    if (!inTime) {
      throw new IllegalStateException("not all were started in time, so there is no figure");
    }
  }
}
