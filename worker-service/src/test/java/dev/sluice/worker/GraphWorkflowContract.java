package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.graph.Graph;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.contracts.graph.GraphRun;
import dev.sluice.contracts.graph.SluiceGraph;
import dev.sluice.worker.temporal.TemporalSettings;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** What the workflow does, whichever server runs it. */
abstract class GraphWorkflowContract {
  private static final Map<String, WorkflowClient> CLIENTS = new ConcurrentHashMap<>();

  abstract ConfigurableApplicationContext worker();

  abstract void restartWorker();

  static ConfigurableApplicationContext start(String temporal, String... more) {
    var settings =
        Stream.concat(
            Stream.of("--server.port=0", "--TEMPORAL_ADDRESS=" + temporal), Stream.of(more));
    return WorkerApplication.builder()
        .sources(TestNodes.class)
        .run(settings.toArray(String[]::new));
  }

  @Test
  @Tag("P1")
  void threeStagesGoForwardToOneHundredPerCent() {
    var workflow =
        run(
            """
            {'nodes':[{'id':'extract','type':'sleep','config':{'duration':'PT0.7S'}},
                      {'id':'transform','type':'sleep','config':{'duration':'PT0.7S'}},
                      {'id':'load','type':'set','config':{'values':{'rows':1.10}}}],
             'edges':[{'from':'extract','to':'transform'},{'from':'transform','to':'load'}]}
            """,
            "null");
    var seen = new ArrayList<GraphProgress>();
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              seen.add(progress(workflow));
              return seen.getLast().percent() == 100;
            });

    assertThat(seen).extracting(GraphProgress::percent).isSorted().contains(0, 33, 100);
    assertThat(seen).contains(new GraphProgress(33, List.of("transform"), 1, 3));
    assertThat(seen.getLast()).isEqualTo(new GraphProgress(100, List.of(), 3, 3));
    assertThat(result(workflow))
        .hasToString(
            "{\"nodes\":{\"extract\":{\"slept\":\"PT0.7S\"},\"transform\":{\"slept\":\"PT0.7S\"},"
                + "\"load\":{\"rows\":1.10}},\"output\":{\"rows\":1.10}}");
  }

  @Test
  void theExamplePipelineRuns() throws IOException {
    try (var example =
        Objects.requireNonNull(
            getClass().getResourceAsStream("/examples/three-stage-pipeline.json"))) {
      var graph = Json.MAPPER.readTree(example).toString();
      assertThat(result(run(graph, "{}")).at("/output/loaded").asBoolean()).isTrue();
    }
  }

  @Test
  void independentBranchesRunAtTheSameTime() {
    var workflow =
        run(
            """
            {'nodes':[{'id':'a','type':'sleep','config':{'duration':'PT2S'}},
                      {'id':'b','type':'sleep','config':{'duration':'PT2S'}},
                      {'id':'c','type':'sleep','config':{'duration':'PT2S'}},
                      {'id':'end','type':'set','config':{'values':{}}}],
             'edges':[{'from':'a','to':'end'},{'from':'b','to':'end'},{'from':'c','to':'end'}]}
            """,
            "null");
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> assertThat(progress(workflow).currentNodes()).containsExactly("a", "b", "c"));
    result(workflow);

    var timers = types(workflow).stream().filter(type -> type.name().contains("_TIMER_")).toList();
    assertThat(timers.subList(0, 3)).containsOnly(EventType.EVENT_TYPE_TIMER_STARTED);
  }

  @Test
  @Tag("Q9")
  void aNodeOfTheUsersOwnGetsItsContextAndTheOutputsBeforeIt() {
    var workflow =
        run(
            """
            {'nodes':[{'id':'first','type':'set','config':{'values':{'x':123456789012345678901234567890}}},
                      {'id':'second','type':'set','config':{'values':{'y':2}}},
                      {'id':'unrelated','type':'set','config':{'values':{'z':3}}},
                      {'id':'own','type':'test.echo','config':{'c':'d'}}],
             'edges':[{'from':'first','to':'own'},{'from':'second','to':'own'}]}
            """,
            "{'price':1.10}");
    JsonNode own = result(workflow).at("/nodes/own");

    assertThat(own.path("input")).hasToString("{\"price\":1.10}");
    assertThat(own.path("config")).hasToString("{\"c\":\"d\"}");
    assertThat(own.path("outputs"))
        .hasToString("{\"first\":{\"x\":123456789012345678901234567890},\"second\":{\"y\":2}}");
    assertThat(own.path("workspace").asString()).isEqualTo("acme");
    assertThat(own.path("definition").asString()).isEqualTo("etl");
    assertThat(own.path("version").asInt()).isEqualTo(3);
    assertThat(own.path("node").asString()).isEqualTo("own");
    assertThat("execution-" + own.path("execution").asString())
        .isEqualTo(workflow.getExecution().getWorkflowId());
    assertThat(result(workflow).path("output").propertyNames()).contains("z", "node");
    assertThat(history(workflow))
        .filteredOn(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .extracting(e -> e.getActivityTaskScheduledEventAttributes().getActivityType().getName())
        .containsExactly("test.echo");
  }

  @Test
  void aNodeIsTriedAsOftenAsItMay() {
    String node =
        "{'nodes':[{'id':'a','type':'test.flaky','config':{'failures':2},"
            + "'retry':{'maxAttempts':%d,'backoff':'PT0.05S'}}]}";
    assertThat(result(run(node.formatted(3), "null")).at("/output/a").asInt()).isEqualTo(3);
    assertThat(failure(run(node.formatted(2), "null")).getOriginalMessage())
        .isEqualTo("node a failed after 2 attempts: try 2 went wrong");
  }

  @Test
  void aNodeWithoutRetrySettingsIsTriedOnce() {
    var workflow =
        run("{'nodes':[{'id':'a','type':'test.flaky','config':{'failures':1}}]}", "null");
    assertThat(failure(workflow).getOriginalMessage()).isEqualTo("node a failed: try 1 went wrong");
  }

  @Test
  void aNodeThatTakesTooLongFailsWithItsTimeout() {
    var workflow = run("{'nodes':[{'id':'slow','type':'test.block','timeout':'PT1S'}]}", "null");
    assertThat(failure(workflow).getOriginalMessage())
        .isEqualTo("node slow failed: timed out (start to close)");
  }

  @Test
  void aFailNodeFailsTheWorkflowWithItsMessageAndStopsItsNeighbours() {
    var workflow =
        run(
            """
            {'nodes':[{'id':'long','type':'sleep','config':{'duration':'P30D'}},
                      {'id':'work','type':'test.block'},
                      {'id':'bad','type':'fail','config':{'message':'no such file'}},
                      {'id':'after','type':'set','config':{'values':{}}}],
             'edges':[{'from':'bad','to':'after'}]}
            """,
            "null");
    ApplicationFailure failure = failure(workflow);
    assertThat(failure.getOriginalMessage()).isEqualTo("node bad failed: no such file");
    assertThat(failure.getType()).isEqualTo("NodeFailed");
    assertThat(types(workflow)).contains(EventType.EVENT_TYPE_TIMER_CANCELED);
    assertThat(progress(workflow).completedNodes()).isZero();
  }

  @Test
  @Tag("L6")
  void aCancelledGraphStopsSleepingAndInterruptsNodesAtWork() {
    var blocker = worker().getBean(TestNodes.Blocker.class);
    var workflow =
        run(
            """
            {'nodes':[{'id':'long','type':'sleep','config':{'duration':'P30D'}},
                      {'id':'work','type':'test.block','retry':{'maxAttempts':5}}]}
            """,
            "null");
    String id = workflow.getExecution().getWorkflowId().substring("execution-".length());
    await().atMost(Duration.ofSeconds(10)).until(() -> blocker.started.contains(id));
    workflow.cancel();

    assertThat(failed(workflow)).hasCauseInstanceOf(CanceledFailure.class);
    assertThat(blocker.interrupted).contains(id);
    assertThat(workflow.describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(types(workflow))
        .contains(EventType.EVENT_TYPE_TIMER_CANCELED, EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED);
  }

  @Test
  void anotherWorkerGoesOnWhereOneStopped() {
    var workflow =
        run(
            """
            {'nodes':[{'id':'a','type':'test.echo'},
                      {'id':'b','type':'sleep','config':{'duration':'PT2S'}},
                      {'id':'c','type':'test.echo'}],
             'edges':[{'from':'a','to':'b'},{'from':'b','to':'c'}]}
            """,
            "null");
    await().atMost(Duration.ofSeconds(10)).until(() -> progress(workflow).completedNodes() == 1);
    restartWorker();

    assertThat(result(workflow).at("/nodes/c/outputs/b/slept").asString()).isEqualTo("PT2S");
    // The query replays the history from its start, which fails where the workflow is not the same
    // twice.
    assertThat(progress(workflow).percent()).isEqualTo(100);
    assertThat(types(workflow))
        .filteredOn(type -> type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
        .hasSize(2);
  }

  @Test
  void aGraphOfFiveHundredNodesRuns() {
    String nodes =
        IntStream.range(0, 500)
            .mapToObj(
                i -> "{'id':'n%d','type':'set','config':{'values':{'last':%d}}}".formatted(i, i))
            .collect(Collectors.joining(","));
    String edges =
        IntStream.range(1, 500)
            .mapToObj(i -> "{'from':'n%d','to':'n%d'}".formatted(i - 1, i))
            .collect(Collectors.joining(","));
    var workflow = run("{'nodes':[" + nodes + "],'edges':[" + edges + "]}", "null");
    assertThat(result(workflow).path("output")).hasToString("{\"last\":499}");
  }

  @Test
  void anArgumentThatIsNoGraphFailsTheWorkflowInsteadOfBlockingIt() {
    for (String argument : List.of("null", "7", "{}", "{'graph':{'nodes':'x'}}")) {
      var workflow = start("no-graph-" + UUID.randomUUID(), Json.MAPPER.readTree(quoted(argument)));
      assertThat(failure(workflow).getOriginalMessage())
          .startsWith("the argument is not a graph to run: ");
    }
  }

  @Test
  void aNodeTypeNobodyHasFailsWithItsName() {
    assertThat(failure(run("{'nodes':[{'id':'a','type':'nope'}]}", "null")).getOriginalMessage())
        .isEqualTo("node a failed: this worker has no node type nope");
  }

  private WorkflowStub run(String graph, String input) {
    Graph nodes = Json.MAPPER.readValue(quoted(graph), Graph.class);
    UUID id = ExecutionIds.mint();
    var argument =
        new GraphRun(
            id, "acme", "etl", 3, nodes.nodeIds(), nodes, Json.MAPPER.readTree(quoted(input)));
    return start(ExecutionIds.workflowId(id), Json.MAPPER.valueToTree(argument));
  }

  private WorkflowStub start(String workflowId, JsonNode argument) {
    var stub =
        client()
            .newUntypedWorkflowStub(
                SluiceGraph.WORKFLOW_TYPE,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(SluiceGraph.TASK_QUEUE)
                    .setWorkflowId(workflowId)
                    .setWorkflowExecutionTimeout(Duration.ofMinutes(1))
                    .build());
    stub.start(argument);
    return stub;
  }

  /** Apart from the worker's own, for it outlives a restart of that. */
  private WorkflowClient client() {
    return CLIENTS.computeIfAbsent(
        worker().getBean(TemporalSettings.class).address(),
        address ->
            WorkflowClient.newInstance(
                WorkflowServiceStubs.newServiceStubs(
                    WorkflowServiceStubsOptions.newBuilder().setTarget(address).build()),
                worker().getBean(WorkflowClient.class).getOptions()));
  }

  @AfterAll
  static void closeClients() {
    CLIENTS.values().forEach(client -> client.getWorkflowServiceStubs().shutdownNow());
    CLIENTS.clear();
  }

  private static GraphProgress progress(WorkflowStub workflow) {
    return workflow.query(SluiceGraph.PROGRESS_QUERY, GraphProgress.class);
  }

  private static JsonNode result(WorkflowStub workflow) {
    return workflow.getResult(JsonNode.class);
  }

  private static WorkflowFailedException failed(WorkflowStub workflow) {
    return catchThrowableOfType(WorkflowFailedException.class, () -> result(workflow));
  }

  private static ApplicationFailure failure(WorkflowStub workflow) {
    return (ApplicationFailure) failed(workflow).getCause();
  }

  private List<EventType> types(WorkflowStub workflow) {
    return history(workflow).stream().map(HistoryEvent::getEventType).toList();
  }

  private List<HistoryEvent> history(WorkflowStub workflow) {
    return client().fetchHistory(workflow.getExecution().getWorkflowId()).getEvents();
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }
}
