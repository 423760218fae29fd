package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.servers.TestStack;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nobody listens to workflows and no sweep comes: all that is heard is what recovery-service says.
 */
@Tag("Q15")
class StraySlotTest {
  private static final Sluice SLUICE =
      Sluice.on(
          TestStack.shared().anotherKafka().bootstrapServers(),
          TestStack.shared().freshDatabase("stray"),
          "--sluice.finish.long-polls=0",
          "--sluice.intake.sweep-every=1h");

  private final Sluice sluice = SLUICE;

  @AfterAll
  static void stop() {
    SLUICE.stop();
  }

  @Test
  void aTerminatedWorkflowThatNobodyWatchedLetsTheNextStart() {
    String ws = sluice.workspace("FREE");
    UUID first = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(first, "DISPATCHED");
    UUID next = sluice.enqueue(ws, "{}");
    sluice.awaitState(next, "PENDING");
    sluice.temporal().newUntypedWorkflowStub(ExecutionIds.workflowId(first)).terminate("by hand");
    sluice.signal(new Signal.Finished(ws, first));
    sluice.awaitState(next, "DISPATCHED");
    assertThat(sluice.workflowStatus(first)).isEqualTo("TERMINATED");
  }

  @Test
  void aStartedWorkflowThatTemporalDoesNotKnowIsClosedAsNotFound() {
    String ws = sluice.workspace("FREE");
    UUID lost = item(ws, "DISPATCHED", "dispatched_at", "now()");
    hold(lost);
    UUID next = sluice.enqueue(ws, "{}");
    sluice.awaitState(next, "PENDING");
    sluice.signal(new Signal.Finished(ws, lost));
    sluice.awaitState(next, "DISPATCHED");
    assertThat(sluice.workflowStatus(lost)).isEqualTo("NOT_FOUND");
  }

  @Test
  void aSlotHeldForAnItemThatIsOverIsFreed() {
    String ws = sluice.workspace("FREE");
    UUID over = item(ws, "CANCELLED", "ended_at", "now()");
    hold(over);
    UUID next = sluice.enqueue(ws, "{}");
    sluice.awaitState(next, "PENDING");
    sluice.signal(new Signal.Finished(ws, over));
    sluice.awaitState(next, "DISPATCHED");
    assertThat(sluice.workflowStatus(over)).isEmpty();
  }

  @Test
  void aSlotHeldForAnItemThatWaitsIsFreedAndTheItemStarts() {
    String ws = sluice.workspace("FREE");
    UUID waiting = item(ws, "PENDING", "gate", "'ready'");
    hold(waiting);
    UUID other = sluice.enqueue(ws, "{}");
    sluice.awaitState(other, "PENDING");
    sluice.signal(new Signal.Finished(ws, waiting));
    sluice.awaitState(waiting, "DISPATCHED");
    sluice.signal(new Signal.Finished(ws, waiting));
    assertThat(sluice.workflowStatus(waiting)).isNotEqualTo("NOT_FOUND");
  }

  @Test
  void aStraySlotDoesNotStopTheAdmissionOfOthers() {
    String ws = sluice.workspace("PRO");
    UUID waiting = item(ws, "PENDING", "gate", "'ready'");
    hold(waiting);
    UUID other = sluice.enqueue(ws, "{}");
    sluice.awaitState(waiting, "DISPATCHED");
    sluice.awaitState(other, "DISPATCHED");
  }

  @Test
  void aSlotWhoseWorkflowIsOpenIsNoStray() {
    String ws = sluice.workspace("FREE");
    UUID waiting = item(ws, "PENDING", "gate", "'ready'");
    hold(waiting);
    sluice
        .temporal()
        .newUntypedWorkflowStub(
            "Obey",
            WorkflowOptions.newBuilder()
                .setWorkflowId(ExecutionIds.workflowId(waiting))
                .setTaskQueue("tests")
                .build())
        .start(Map.of("wait", true));
    UUID other = sluice.enqueue(ws, "{}");
    sluice.awaitState(other, "PENDING");
    sluice.signal(new Signal.Finished(ws, waiting));
    sluice.letGo(waiting);
    // Its end frees the slot for itself: it is recognised, and closed a second time for the other.
    signalUntil(ws, waiting, waiting);
    signalUntil(ws, waiting, other);
    assertThat(sluice.workflowStatus(waiting)).isEqualTo("COMPLETED");
    assertThat(sluice.mostOpenAtOnce(List.of(waiting, other))).isEqualTo(1);
  }

  /** As recovery-service does, for as long as the slot is held. */
  private void signalUntil(String workspace, UUID finished, UUID dispatched) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              sluice.signal(new Signal.Finished(workspace, finished));
              return sluice.state(dispatched).equals("DISPATCHED");
            });
  }

  private UUID item(String workspace, String state, String column, String value) {
    UUID id = UUID.randomUUID();
    sluice
        .jdbc()
        .sql(
            "insert into workflow_execution_queue (id, workspace_id, definition_id,"
                + " definition_version, state, priority, input, %s) values (?, ?, 'job', 1, ?, 5, '{}', %s)"
                    .formatted(column, value))
        .params(id, workspace, state)
        .update();
    return id;
  }

  private void hold(UUID id) {
    sluice
        .jdbc()
        .sql(
            "insert into workflow_execution (id, workspace_id, definition_id, definition_version)"
                + " select id, workspace_id, definition_id, definition_version from"
                + " workflow_execution_queue where id = ?")
        .param(id)
        .update();
  }
}
