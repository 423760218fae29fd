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
  private static final int WARM_UP = 500;
  private static final String PREFIX = "w";
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

  private DispatchRound() {}

  /** What one round showed, for each item where it says so. */
  record Result(
      double perSecond,
      double statementsPerItem,
      double logBytesPerItem,
      double deadRowsPerItem,
      double cpuMillisPerItem) {}

  static Result run(Servers servers, String temporalAddress, boolean instant, int items) {
    return run(servers, temporalAddress, instant, WORKSPACES, items);
  }

  static Result run(
      Servers servers, String temporalAddress, boolean instant, int workspaces, int items) {
    try (Tables tables = servers.tables();
        Requests requests = new Requests(servers)) {
      tables.workspaces(PREFIX, workspaces, 1_000_000);
      tables.analyze();
      var probe = new StartProbe(instant);
      try (Dispatcher dispatcher =
          new Dispatcher(servers, tables, temporalAddress, probe, settings(instant))) {
        warmUp(dispatcher, requests, workspaces);
        return measured(dispatcher, requests, Requests.round(PREFIX, workspaces, items), tables);
      }
    }
  }

  /** What was never started never closes, so nobody is to listen for it. */
  private static String[] settings(boolean instant) {
    return instant ? new String[] {"--sluice.finish.long-polls=0"} : new String[0];
  }

  /** Every workspace once: partitions are assigned, connections open, definitions known. */
  static void warmUp(Dispatcher dispatcher, Requests requests) {
    warmUp(dispatcher, requests, WORKSPACES);
  }

  private static void warmUp(Dispatcher dispatcher, Requests requests, int workspaces) {
    requests.send(Requests.round(PREFIX, workspaces, WARM_UP));
    require(dispatcher.awaitSettled(WARM_UP, System.nanoTime() + PATIENCE));
  }

  private static Result measured(
      Dispatcher dispatcher, Requests requests, List<Requests.Request> batch, Tables tables) {
    int items = batch.size();
    long statements = tables.statements();
    long log = tables.log();
    long before = dispatcher.probe().started();
    double cpu = CpuTime.seconds();
    long began = System.nanoTime();
    requests.send(batch);
    require(dispatcher.probe().awaitStarted(before + items, began + PATIENCE));
    double seconds = (System.nanoTime() - began) / 1e9;
    require(dispatcher.awaitSettled(WARM_UP + items, System.nanoTime() + PATIENCE));
    double used = CpuTime.seconds() - cpu;
    if (Boolean.getBoolean("bench.statements")) {
      tables.dearest(8).forEach(System.out::println);
    }
    double statementsPerItem = (tables.statements() - statements) / (double) items;
    double logPerItem = (tables.log() - log) / (double) items;
    dispatcher
        .close(); // its sessions tell of their dead rows when they end, those of the warm-up too
    double deadPerItem = tables.deadRows() / (double) (WARM_UP + items);
    return new Result(
        items / seconds, statementsPerItem, logPerItem, deadPerItem, used * 1000 / items);
  }

  private static void require(boolean inTime) {
    if (!inTime) {
      throw new IllegalStateException("not all were started in time, so there is no figure");
    }
  }
}
