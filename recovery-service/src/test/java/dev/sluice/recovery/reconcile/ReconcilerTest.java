package dev.sluice.recovery.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.recovery.DispatcherStandIn;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.TopicReader;
import dev.sluice.recovery.signal.SignalSender;
import dev.sluice.servers.TestStack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.ContinueAsNewWorkflowExecutionCommandAttributes;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReconcilerTest {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final String NAMESPACE = "default";

  private final Fixture fixture = Fixture.fresh(ReconcilerTest.class);
  private final String workspace = "ws-" + UUID.randomUUID();
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), workspace);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SignalSender signals = new SignalSender(Fixture.kafka());
  private final WorkflowServiceStubs temporal = connect(TestStack.shared().temporal().address());
  private TopicReader sent;

  @BeforeEach
  void listen() {
    sent = new TopicReader(Topics.SIGNALS, workspace);
  }

  @AfterEach
  void close() {
    sent.close();
    signals.close();
    temporal.shutdownNow();
    fixture.close();
  }

  private static WorkflowServiceStubs connect(String address) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(address).build());
  }

  private Reconciler reconciler(WorkflowServiceStubs server, int listAbove) {
    var settings =
        new ReconcileSettings(
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            500,
            4,
            10,
            Duration.ofMillis(1),
            listAbove);
    return new Reconciler(
        new ReconcileLedger(fixture.sql()),
        new TemporalClient(server, NAMESPACE),
        signals,
        new Leaks(meters),
        settings);
  }

  @Test
  void aTerminatedWorkflowIsToldToTheOwnerOfItsSlot() throws Exception {
    UUID open = started();
    UUID terminated = started();
    terminate(terminated);
    var round = reconciler(temporal, 1000).runOnce();
    assertThat(round).isEqualTo(new Reconciler.Round(2, 1, true));
    assertThat(finished(1)).containsExactly(terminated).doesNotContain(open);
    assertThat(leaks()).isEqualTo(1);
  }

  @Test
  void aWorkflowTemporalDoesNotKnowIsALeak() throws Exception {
    UUID unknown = dispatcher.dispatched();
    assertThat(reconciler(temporal, 1000).runOnce().finished()).isEqualTo(1);
    assertThat(finished(1)).containsExactly(unknown);
    assertThat(leaks()).isEqualTo(1);
  }

  @Test
  void aLeakIsCountedOnceHoweverOftenItIsSeen() throws Exception {
    dispatcher.dispatched();
    var reconciler = reconciler(temporal, 1000);
    reconciler.runOnce();
    reconciler.runOnce();
    assertThat(finished(2)).hasSize(2);
    assertThat(leaks()).isEqualTo(1);
  }

  @Test
  void aClaimWhoseStartIsNotResolvedIsLeftAlone() throws Exception {
    dispatcher.claimed();
    assertThat(reconciler(temporal, 1000).runOnce().finished()).isZero();
    assertThat(leaks()).isZero();
  }

  @Test
  void aSlotWhoseItemIsOverIsALeak() throws Exception {
    UUID orphan = dispatcher.claimed();
    fixture
        .sql()
        .sql(
            """
            update workflow_execution_queue
               set state = 'FAILED', claim_token = null, ended_at = now(), failure_code = 'x', failure_message = 'x'
            """)
        .update();
    reconciler(temporal, 1000).runOnce();
    assertThat(finished(1)).containsExactly(orphan);
    assertThat(leaks()).isEqualTo(1);
  }

  @Test
  void aSlotOfAWaitingItemIsALeakUnlessItsWorkflowIsOpen() throws Exception {
    UUID open = start(temporal, released());
    UUID nothing = released();
    assertThat(reconciler(temporal, 1000).runOnce()).isEqualTo(new Reconciler.Round(2, 1, true));
    assertThat(finished(1)).containsExactly(nothing).doesNotContain(open);
    assertThat(leaks()).isEqualTo(1);
  }

  /** PENDING, and its slot is held all the same. */
  private UUID released() {
    UUID id = dispatcher.claimed();
    fixture
        .sql()
        .sql(
            "update workflow_execution_queue set state = 'PENDING', claim_token = null where id ="
                + " ?")
        .param(id)
        .update();
    return id;
  }

  @Test
  void whileTemporalIsAwayNothingIsFinished() throws Exception {
    dispatcher.dispatched();
    var away = connect("127.0.0.1:9");
    try {
      assertThat(reconciler(away, 1000).runOnce().finished()).isZero();
      assertThat(leaks()).isZero();
    } finally {
      away.shutdownNow();
    }
  }

  @Test
  void aPassGoesOverAllSlotsInPages() throws Exception {
    var ids = IntStream.range(0, 25).mapToObj(n -> dispatcher.dispatched()).toList();
    assertThat(reconciler(temporal, 1000).runOnce()).isEqualTo(new Reconciler.Round(25, 25, true));
    assertThat(finished(25)).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void aServerWithoutListingsIsAskedOneByOne() throws Exception {
    UUID terminated = started();
    terminate(terminated);
    assertThat(reconciler(temporal, 1).runOnce().finished()).isEqualTo(1);
  }

  @Test
  void onARealServerATerminatedWorkflowIsFoundByListing() throws Exception {
    var real = TestStack.shared().realTemporal();
    assumeTrue(real.isPresent(), "no temporal CLI here");
    var server = connect(real.get().address());
    try {
      UUID open = start(server, dispatcher.dispatched());
      UUID terminated = start(server, dispatcher.dispatched());
      terminate(server, terminated);
      var client = new TemporalClient(server, NAMESPACE);
      Awaitility.await()
          .atMost(SOON)
          .until(
              () ->
                  client.closedSince(Instant.now().minusSeconds(60))
                          instanceof Temporal.Listing.Closed(var ids, var newest)
                      && ids.contains(terminated)
                      && !ids.contains(open));
      reconciler(server, 1).runOnce();
      assertThat(finished(1)).containsOnly(terminated);
      assertThat(new TemporalClient(server, "no-such-namespace").look(terminated))
          .isInstanceOf(Temporal.Seen.Unknown.class);
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void aContinuedWorkflowKeepsItsSlot() throws Exception {
    UUID id = started();
    answerNextTask(
        temporal,
        id,
        Command.newBuilder()
            .setCommandType(CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION)
            .setContinueAsNewWorkflowExecutionCommandAttributes(
                ContinueAsNewWorkflowExecutionCommandAttributes.newBuilder()
                    .setWorkflowType(WorkflowType.newBuilder().setName("Nobody"))
                    .setTaskQueue(TaskQueue.newBuilder().setName(queue(id)))));
    assertThat(reconciler(temporal, 1000).runOnce()).isEqualTo(new Reconciler.Round(1, 0, true));
  }

  @Test
  void onARealServerAResetWorkflowKeepsItsSlot() throws Exception {
    var real = TestStack.shared().realTemporal();
    assumeTrue(real.isPresent(), "no temporal CLI here");
    var server = connect(real.get().address());
    try {
      UUID id = start(server, dispatcher.dispatched());
      answerNextTask(server, id);
      var reset =
          ResetWorkflowExecutionRequest.newBuilder()
              .setNamespace(NAMESPACE)
              .setRequestId(UUID.randomUUID().toString())
              .setWorkflowExecution(
                  WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)))
              .setWorkflowTaskFinishEventId(4)
              .build();
      server.blockingStub().resetWorkflowExecution(reset);
      assertThat(reconciler(server, 1000).runOnce()).isEqualTo(new Reconciler.Round(1, 0, true));
    } finally {
      server.shutdownNow();
    }
  }

  /** What a worker would do, once. */
  private static void answerNextTask(
      WorkflowServiceStubs server, UUID id, Command.Builder... commands) {
    var poll =
        PollWorkflowTaskQueueRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setTaskQueue(TaskQueue.newBuilder().setName(queue(id)))
            .build();
    var answer =
        RespondWorkflowTaskCompletedRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setTaskToken(server.blockingStub().pollWorkflowTaskQueue(poll).getTaskToken());
    for (var command : commands) {
      answer.addCommands(command);
    }
    server.blockingStub().respondWorkflowTaskCompleted(answer.build());
  }

  private static String queue(UUID id) {
    return "queue-" + id;
  }

  private UUID started() {
    return start(temporal, dispatcher.dispatched());
  }

  private static UUID start(WorkflowServiceStubs server, UUID id) {
    server
        .blockingStub()
        .startWorkflowExecution(
            StartWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setWorkflowId(ExecutionIds.workflowId(id))
                .setRequestId(id.toString())
                .setWorkflowType(WorkflowType.newBuilder().setName("Nobody"))
                .setTaskQueue(TaskQueue.newBuilder().setName(queue(id)))
                .build());
    return id;
  }

  private void terminate(UUID id) {
    terminate(temporal, id);
  }

  private static void terminate(WorkflowServiceStubs server, UUID id) {
    server
        .blockingStub()
        .terminateWorkflowExecution(
            TerminateWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setWorkflowExecution(
                    WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)))
                .setReason("test")
                .build());
  }

  private double leaks() {
    return meters.get("sluice.slot.leaks").counter().count();
  }

  private List<UUID> finished(int atLeast) {
    return sent.await(SOON, all -> all.size() >= atLeast).stream()
        .map(r -> (Signal.Finished) SignalCodec.decode(r).orElseThrow())
        .map(Signal.Finished::id)
        .toList();
  }
}
