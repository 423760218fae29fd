package dev.sluice.bench.part;

import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** So many records to Kafka at once, into workspaces with room, until Temporal has started all. */
final class DispatchRound {
  static final int WORKSPACES = 500;
  private static final String PREFIX = "w";
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

  private DispatchRound() {}

  /** What one round showed, for each item where it says so. */
  record Result(
      double perSecond,
      double statementsPerItem,
      double logBytesPerItem,
      double cpuMillisPerItem) {}

  static Result run(Servers servers, String temporalAddress, boolean instant, int items) {
    try (Tables tables = servers.tables();
        Requests requests = new Requests(servers)) {
      tables.workspaces(PREFIX, WORKSPACES, 1_000_000);
      tables.analyze();
      var probe = new StartProbe(instant);
      try (Dispatcher dispatcher =
          new Dispatcher(servers, tables, temporalAddress, probe, settings(instant))) {
        warmUp(dispatcher, requests);
        return measured(dispatcher, requests, tables, items);
      }
    }
  }

  /** What was never started never closes, so nobody is to listen for it. */
  private static String[] settings(boolean instant) {
    return instant ? new String[] {"--sluice.finish.long-polls=0"} : new String[0];
  }

  /** Every workspace once: partitions are assigned, connections open, definitions known. */
  static void warmUp(Dispatcher dispatcher, Requests requests) {
    requests.send(Requests.round(PREFIX, WORKSPACES, WORKSPACES));
    require(dispatcher.awaitSettled(WORKSPACES, System.nanoTime() + PATIENCE));
  }

  private static Result measured(
      Dispatcher dispatcher, Requests requests, Tables tables, int items) {
    List<Requests.Request> batch = Requests.round(PREFIX, WORKSPACES, items);
    long statements = tables.statements();
    long log = tables.log();
    long before = dispatcher.probe().started();
    double cpu = CpuTime.seconds();
    long began = System.nanoTime();
    requests.send(batch);
    require(dispatcher.probe().awaitStarted(before + items, began + PATIENCE));
    double seconds = (System.nanoTime() - began) / 1e9;
    require(dispatcher.awaitSettled(WORKSPACES + items, System.nanoTime() + PATIENCE));
    double used = CpuTime.seconds() - cpu;
    if (Boolean.getBoolean("bench.statements")) {
      tables.dearest(8).forEach(System.out::println);
    }
    return new Result(
        items / seconds,
        (tables.statements() - statements) / (double) items,
        (tables.log() - log) / (double) items,
        used * 1000 / items);
  }

  private static void require(boolean inTime) {
    if (!inTime) {
      throw new IllegalStateException("not all were started in time, so there is no figure");
    }
  }
}
