package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.graph.SluiceGraph;
import dev.sluice.servers.TestStack;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final String GRAPH =
      "{\"graph\":{\"nodes\":[{\"id\":\"a\",\"type\":\"set\",\"config\":{\"values\":{}}}]}}";

  @Test
  @Tag("P1")
  void aRunningGraphShowsHowFarItIs() {
    var ingest = Ingest.shared();
    UUID id = runningGraph(ingest);
    var stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(TestStack.shared().temporal().address())
                .build());
    var client = WorkflowClient.newInstance(stubs);
    var factory = WorkerFactory.newInstance(client);
    factory.newWorker("progress").registerWorkflowImplementationTypes(HalfWay.class);
    factory.start();
    try {
      var workflow =
          client.newUntypedWorkflowStub(
              SluiceGraph.WORKFLOW_TYPE,
              WorkflowOptions.newBuilder()
                  .setWorkflowId(ExecutionIds.workflowId(id))
                  .setTaskQueue("progress")
                  .build());
      workflow.start();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(
                          ingest
                              .get("/v1/executions/" + id)
                              .json()
                              .at("/workflow/progress")
                              .toString())
                      .isEqualTo(
                          "{\"percent\":50,\"currentNodes\":[\"b\"],\"completedNodes\":1,\"totalNodes\":2}"));
      workflow.signal("finish");
    } finally {
      factory.shutdownNow();
      stubs.shutdownNow();
    }
  }

  @Test
  void withoutTemporalEverythingButProgressIsThere() {
    String database = TestStack.shared().freshDatabase("no_temporal");
    try (var ingest = Ingest.start(database, "--sluice.temporal.address=127.0.0.1:1")) {
      UUID id = runningGraph(ingest);
      var shown = ingest.get("/v1/executions/" + id).json();
      assertThat(shown.at("/workflow/status").asString()).isEqualTo("RUNNING");
      assertThat(shown.get("workflow").has("progress")).isFalse();
      assertThat(ingest.get("/actuator/health/readiness").status()).isEqualTo(200);
    }
  }

  private static UUID runningGraph(Ingest ingest) {
    String ws = ingest.workspace("FREE");
    ingest.put("/v1/workspaces/" + ws + "/definitions/report", GRAPH);
    var rows = new Rows(ingest);
    UUID id = rows.pending(ws, ExecutionIds.mint(), "definition_version = 2");
    rows.dispatch(id);
    return id;
  }

  @WorkflowInterface
  public interface Graph {
    @WorkflowMethod(name = SluiceGraph.WORKFLOW_TYPE)
    void run();

    @SignalMethod
    void finish();

    @QueryMethod(name = SluiceGraph.PROGRESS_QUERY)
    Map<String, Object> progress();
  }

  public static final class HalfWay implements Graph {
    private boolean finished;

    @Override
    public void run() {
      Workflow.await(() -> finished);
    }

    @Override
    public void finish() {
      finished = true;
    }

    @Override
    public Map<String, Object> progress() {
      return Map.of(
          "percent", 50, "currentNodes", List.of("b"), "completedNodes", 1, "totalNodes", 2);
    }
  }
}
