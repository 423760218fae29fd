package dev.sluice.bench.part;

import dev.sluice.bench.stack.Await;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A dispatcher that stays for several rounds, as one does that serves users: a young one spends
 * half of a short round on being compiled. What a round has left is over before the next begins.
 */
final class StandingDispatcher implements AutoCloseable {
  private static final String PREFIX = DispatchRound.PREFIX;
  private static final long PATIENCE = DispatchRound.PATIENCE;

  private final Tables tables;
  private final Requests requests;
  private final Dispatcher dispatcher;
  private final int workspaces;
  private long settled;

  /** What one round showed, for each item where it says so. */
  record Round(
      double perSecond,
      double statementsPerItem,
      double logBytesPerItem,
      double cpuMillisPerItem) {}

  /**
   * @param instant starts are answered at once, and Temporal is never asked
   */
  StandingDispatcher(Servers servers, String temporalAddress, boolean instant, int workspaces) {
    this.workspaces = workspaces;
    tables = servers.tables();
    requests = new Requests(servers.kafka());
    tables.workspaces(PREFIX, workspaces, 1_000_000);
    tables.analyze();
    dispatcher =
        new Dispatcher(
            servers.kafka(), tables, temporalAddress, new StartProbe(instant), settings(instant));
    DispatchRound.warmUp(dispatcher, requests, workspaces);
    settled = DispatchRound.WARM_UP;
  }

  /** What was never started never closes, so nobody is to listen for it. */
  private static String[] settings(boolean instant) {
    return instant ? new String[] {"--sluice.finish.long-polls=0"} : new String[0];
  }

  /**
   * So many records to Kafka at once, into workspaces with room, until Temporal has started all.
   */
  Round round(int items) {
    List<Requests.Request> batch = Requests.round(PREFIX, workspaces, items);
    long statements = tables.statements();
    long log = tables.log();
    long before = dispatcher.probe().started();
    double cpu = CpuTime.seconds();
    long began = System.nanoTime();
    requests.send(batch);
    DispatchRound.require(dispatcher.probe().awaitStarted(before + items, began + PATIENCE));
    double seconds = (System.nanoTime() - began) / 1e9;
    awaitSettled(items);
    double used = CpuTime.seconds() - cpu;
    if (Boolean.getBoolean("bench.statements")) {
      tables.dearest(8).forEach(System.out::println);
    }
    return new Round(
        items / seconds,
        (tables.statements() - statements) / (double) items,
        (tables.log() - log) / (double) items,
        used * 1000 / items);
  }

  /** What it asked Temporal for last. */
  StartWorkflowExecutionRequest lastStart() {
    return dispatcher.probe().last();
  }

  /** Produced → started, of so many that come at this rate, whatever becomes of those before. */
  Histogram latency(double perSecond, int items, int seed) {
    List<Requests.Request> batch = Requests.round(PREFIX, workspaces, items);
    Histogram result = OpenLoop.latency(dispatcher.probe(), requests, batch, perSecond, seed);
    awaitSettled(items);
    return result;
  }

  /** Temporal has forgotten them all: they are closed as such. */
  void awaitAllClosed() {
    Await.until(
        "all closes are seen", Duration.ofNanos(PATIENCE), () -> tables.openWorkflows() == 0);
  }

  /** Where Temporal was never asked there is nothing that closes, only rows to be removed. */
  void forgetAll() {
    tables.removeAll();
  }

  /** Row versions that only a vacuum takes away, of all items so far; closes the dispatcher. */
  double deadRowsPerItem() {
    dispatcher.close(); // its sessions tell of their dead rows when they end
    return tables.deadRows() / (double) settled;
  }

  private void awaitSettled(int more) {
    settled += more;
    DispatchRound.require(dispatcher.awaitSettled(settled, System.nanoTime() + PATIENCE));
  }

  @Override
  public void close() {
    dispatcher.close();
    requests.close();
    tables.close();
  }
}
