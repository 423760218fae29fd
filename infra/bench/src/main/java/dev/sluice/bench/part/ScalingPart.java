package dev.sluice.bench.part;

import dev.sluice.bench.stack.Await;
import dev.sluice.bench.stack.Broker;
import dev.sluice.bench.stack.InstantTemporal;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import dev.sluice.bench.stack.ServiceProcess;
import dev.sluice.bench.stack.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same number of records in Kafka, worked off by one, two and four dispatcher processes on this
 * machine, until the last is started. Four run all the time, and the records are for workspaces of
 * as many of them as are measured: processes that were started for each figure would mostly show
 * how a young JVM compiles. What is started returns at once.
 */
final class ScalingPart implements Part {
  private static final int ROUNDS = 3;
  private static final int[] DISPATCHERS = {1, 2, 4};
  private static final int MOST = 4;
  private static final int ITEMS = 5_000;
  private static final int WARM_UP_EACH = 3_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public void run(Bench bench) throws InterruptedException {
    Servers servers = bench.servers();
    try (var temporal = new InstantTemporal();
        Tables tables = servers.tables();
        var requests = new Requests(servers.kafka());
        var broker = new Broker(servers);
        var processes = new Processes()) {
      tables.workspaces(OwnedWorkspaces.PREFIX, OwnedWorkspaces.ALL, 1_000_000);
      tables.analyze();
      for (int i = 0; i < MOST; i++) {
        // What was never started never closes, so nobody is to listen for it.
        processes.add(
            ServiceProcess.start(
                "dispatcher", servers, tables, temporal.address(), "--sluice.finish.long-polls=0"));
      }
      var owned = new OwnedWorkspaces(broker.awaitDispatchers(MOST));
      new Load(temporal, tables, requests, owned).rounds(bench);
      if (!owned.homes().equals(broker.awaitDispatchers(MOST))) {
        throw new IllegalStateException("partitions went to another dispatcher meanwhile");
      }
    }
  }

  /** What was sent so far, and what is measured with it. */
  private static final class Load {
    private final InstantTemporal temporal;
    private final Tables tables;
    private final Requests requests;
    private final OwnedWorkspaces owned;
    private int sent;

    Load(InstantTemporal temporal, Tables tables, Requests requests, OwnedWorkspaces owned) {
      this.temporal = temporal;
      this.tables = tables;
      this.requests = requests;
      this.owned = owned;
    }

    void rounds(Bench bench) throws InterruptedException {
      var _ = rate(MOST, MOST * WARM_UP_EACH);
      Map<Integer, List<Double>> rates = new LinkedHashMap<>();
      for (int round = 0; round <= ROUNDS; round++) {
        for (int dispatchers : DISPATCHERS) {
          double rate = rate(dispatchers, ITEMS);
          bench
              .console()
              .say(
                  "scaling%s: %d of the dispatchers, %,.0f/s",
                  round == 0 ? " (warm-up)" : "", dispatchers, rate);
          if (round > 0) {
            rates.computeIfAbsent(dispatchers, d -> new ArrayList<>()).add(rate);
          }
        }
      }
      rates.forEach(
          (dispatchers, samples) ->
              bench
                  .rows()
                  .add(
                      "scaling.rate_%d_dispatcher%s"
                          .formatted(dispatchers, dispatchers == 1 ? "" : "s"),
                      "items/s",
                      samples));
    }

    private double rate(int dispatchers, int items) throws InterruptedException {
      List<String> workspaces = owned.of(dispatchers, DispatchRound.WORKSPACES);
      List<Requests.Request> batch = Requests.round(workspaces, items);
      temporal.expect(items);
      long began = System.nanoTime();
      requests.send(batch);
      temporal.await(PATIENCE);
      double seconds = (System.nanoTime() - began) / 1e9;
      sent += items;
      Await.until("all are settled", PATIENCE, () -> tables.count("DISPATCHED") >= sent);
      return items / seconds;
    }
  }

  /** Stopped together, since each takes its time. */
  private static final class Processes implements AutoCloseable {
    private final List<ServiceProcess> all = new ArrayList<>();

    void add(ServiceProcess process) {
      all.add(process);
    }

    @Override
    public void close() {
      all.forEach(ServiceProcess::terminate);
      all.forEach(ServiceProcess::close);
    }
  }
}
