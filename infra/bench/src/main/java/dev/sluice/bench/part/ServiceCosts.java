package dev.sluice.bench.part;

import dev.sluice.bench.stack.Await;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.IngestClient;
import dev.sluice.bench.stack.ServiceProcess;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Processor time of each process for the whole life of an item: asked for over HTTP, started,
 * closed, and every event of that told.
 */
final class ServiceCosts {
  private static final int ROUNDS = 3;

  /** The compiler of a young JVM costs more than what it compiles. */
  private static final int WARM_UPS = 3;

  private static final int ITEMS = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final IngestClient client;
  private final Tables tables;
  private final String temporalAddress;
  private final Map<String, ServiceProcess> services;
  private long done;

  ServiceCosts(
      IngestClient client,
      Tables tables,
      String temporalAddress,
      Map<String, ServiceProcess> services) {
    this.client = client;
    this.tables = tables;
    this.temporalAddress = temporalAddress;
    this.services = services;
  }

  void run(Bench bench) throws InterruptedException {
    Map<String, List<Double>> costs = new TreeMap<>();
    WorkflowServiceStubs temporal = Dispatcher.probed(temporalAddress, new StartProbe(false));
    try {
      for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
        Map<String, Double> before = cpuSeconds();
        live(temporal);
        Map<String, Double> per1000 = new TreeMap<>();
        cpuSeconds()
            .forEach(
                (name, now) ->
                    per1000.put(name, (now - before.getOrDefault(name, 0.0)) * 1000 / ITEMS));
        bench
            .console()
            .say(
                "services%s: CPU seconds per 1,000 items %s",
                round < WARM_UPS ? " (warm-up)" : "", shown(per1000));
        if (round >= WARM_UPS) {
          per1000.forEach(
              (name, cost) -> costs.computeIfAbsent(name, n -> new ArrayList<>()).add(cost));
        }
      }
    } finally {
      temporal.shutdownNow();
    }
    costs.forEach(
        (name, rounds) -> bench.rows().add("services." + name + "_cpu_s_per_1000", "s", rounds));
  }

  /** Kafka and the in-memory Temporal are in this JVM, with the load: one figure for the three. */
  private Map<String, Double> cpuSeconds() {
    Map<String, Double> seconds = new TreeMap<>();
    services.forEach((name, service) -> seconds.put(name, service.cpuSeconds()));
    seconds.put("postgresql", CpuTime.ofServers());
    seconds.put("bench_jvm", CpuTime.ofThisJvm());
    return seconds;
  }

  private void live(WorkflowServiceStubs temporal) throws InterruptedException {
    var workflows = new AtomicReferenceArray<String>(ITEMS);
    var _ = ClosedLoop.rate(ServicesPart.CALLERS, ITEMS, n -> workflows.set(n, enqueue(n)));
    done += ITEMS;
    Await.until("all are started", PATIENCE, () -> tables.count("DISPATCHED") >= done);
    var _ =
        ClosedLoop.rate(ServicesPart.CALLERS, ITEMS, n -> terminate(temporal, workflows.get(n)));
    Await.until("all closes are seen", PATIENCE, () -> tables.closed() >= done);
    long log = tables.log();
    Await.until("all events are told", PATIENCE, () -> tables.isRelayed(log));
  }

  private String enqueue(int n) throws Exception {
    return client.enqueue(ServicesPart.workspace(n)).get(60, TimeUnit.SECONDS);
  }

  private static String shown(Map<String, Double> per1000) {
    var text = new ArrayList<String>();
    per1000.forEach((name, cost) -> text.add("%s %.2f".formatted(name, cost)));
    return String.join(", ", text);
  }

  private static void terminate(WorkflowServiceStubs temporal, String workflowId) {
    var _ =
        temporal
            .blockingStub()
            .terminateWorkflowExecution(
                TerminateWorkflowExecutionRequest.newBuilder()
                    .setNamespace("default")
                    .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                    .build());
  }
}
