package dev.sluice.chaos.load;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The workflow that all requests ask for, and its worker. */
public final class Work implements AutoCloseable {
  public static final String TYPE = "ChaosWork";
  public static final String TASK_QUEUE = "chaos";

  /** Which workflows carried a request's name; more than one means that it ran twice. */
  private static final Map<String, Set<String>> SEEN = new ConcurrentHashMap<>();

  private static final Map<String, Integer> BEGUN = new ConcurrentHashMap<>();
  private static final Set<String> FINISHED = ConcurrentHashMap.newKeySet();

  private final String temporal;
  private WorkflowServiceStubs stubs;
  private WorkerFactory factory;

  /** What a request asks for. */
  @WorkflowInterface
  public interface Sleeper {
    @WorkflowMethod(name = TYPE)
    void run(Map<String, Object> input);
  }

  /** Sleeps as long as it was asked to. */
  public static final class SleeperImpl implements Sleeper {
    @Override
    public void run(Map<String, Object> input) {
      String workflowId = Workflow.getInfo().getWorkflowId();
      // Outside of what Temporal replays: adding the same again changes nothing.
      String name = String.valueOf(input.get("name"));
      if (SEEN.computeIfAbsent(name, n -> ConcurrentHashMap.newKeySet()).add(workflowId)) {
        BEGUN.merge(name.substring(0, name.indexOf('/')), 1, Integer::sum);
      }
      if (input.get("milliseconds") instanceof Number milliseconds && milliseconds.intValue() > 0) {
        Workflow.sleep(Duration.ofMillis(milliseconds.intValue()));
      }
      FINISHED.add(workflowId);
    }
  }

  public Work(String temporal) {
    SEEN.clear();
    BEGUN.clear();
    FINISHED.clear();
    this.temporal = temporal;
    this.stubs = stubs(temporal);
    this.factory = factory(stubs);
  }

  public void start() {
    factory.start();
  }

  /**
   * A worker whose server was away asks again up to a minute after it is back, and so does its
   * connection; workflows that stay open for so long would hold all slots, and hide what is looked
   * for here.
   */
  public synchronized void reconnect() {
    factory.shutdownNow();
    stubs.shutdownNow();
    stubs = stubs(temporal);
    factory = factory(stubs);
    factory.start();
  }

  /** A connection to a Temporal server. */
  public static WorkflowServiceStubs stubs(String address) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(address).build());
  }

  private static WorkerFactory factory(WorkflowServiceStubs temporal) {
    var client =
        WorkflowClient.newInstance(
            temporal, WorkflowClientOptions.newBuilder().setNamespace("default").build());
    var factory = WorkerFactory.newInstance(client);
    Worker worker =
        factory.newWorker(
            TASK_QUEUE,
            WorkerOptions.newBuilder()
                .setMaxConcurrentWorkflowTaskPollers(16)
                .setLocalActivityWorkerOnly(true)
                .build());
    worker.registerWorkflowImplementationTypes(SleeperImpl.class);
    return factory;
  }

  /** Requests that were seen at work. */
  public int begun() {
    return SEEN.size();
  }

  /** Of one workspace. */
  public int begun(String workspaceId) {
    return BEGUN.getOrDefault(workspaceId, 0);
  }

  public int open() {
    return SEEN.values().stream().mapToInt(Set::size).sum() - FINISHED.size();
  }

  public Map<String, Set<String>> workflowsByName() {
    return Map.copyOf(SEEN);
  }

  @Override
  public synchronized void close() {
    factory.shutdownNow();
    factory.awaitTermination(5, TimeUnit.SECONDS);
    stubs.shutdownNow();
  }
}
