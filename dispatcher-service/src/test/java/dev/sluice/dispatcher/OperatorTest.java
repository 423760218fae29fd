package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Signal;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Collisions, pauses, ends and maintenance, on real parts. */
class OperatorTest {
  private static final String KEYED = "\"partitionKey\":\"k\",\"input\":";

  private final Sluice sluice = Sluice.shared();

  @Test
  void aCollisionIsRejectedWhereTheDefinitionSaysSo() {
    String ws = workspace("reject");
    UUID running = sluice.enqueue(ws, KEYED + "{\"wait\":true}", "1");
    sluice.awaitState(running, "DISPATCHED");
    UUID rejected = sluice.enqueue(ws, KEYED + "{}", "2");
    sluice.awaitState(rejected, "FAILED");
    assertThat(sluice.failure(rejected)).startsWith("COLLISION").contains("partitionKey k");
    UUID otherKey = sluice.enqueue(ws, "\"partitionKey\":\"other\",\"input\":{}", "3");
    sluice.awaitStatus(otherKey, "COMPLETED");
    sluice.letGo(running);
    sluice.awaitStatus(running, "COMPLETED");
    UUID after = sluice.enqueue(ws, KEYED + "{}", "4");
    sluice.awaitStatus(after, "COMPLETED");
  }

  @Test
  void theRunningOneIsCancelledWhereTheDefinitionSaysSo() {
    String ws = workspace("cancel-running");
    UUID running = sluice.enqueue(ws, KEYED + "{\"wait\":true}", "1");
    sluice.awaitState(running, "DISPATCHED");
    UUID next = sluice.enqueue(ws, KEYED + "{}", "2");
    sluice.awaitStatus(running, "CANCELED");
    sluice.awaitStatus(next, "COMPLETED");
  }

  @Test
  void thoseThatWaitAreReplacedWhereTheDefinitionSaysSo() {
    String ws = workspace("replace-waiting");
    UUID running = sluice.enqueue(ws, KEYED + "{\"wait\":true}", "1");
    sluice.awaitState(running, "DISPATCHED");
    UUID old = sluice.enqueue(ws, KEYED + "{}", "2");
    sluice.awaitState(old, "PENDING");
    UUID latest = sluice.enqueue(ws, KEYED + "{}", "3");
    sluice.awaitState(old, "CANCELLED");
    assertThat(sluice.workflowStatus(running)).isEqualTo("RUNNING");
    sluice.letGo(running);
    sluice.awaitStatus(latest, "COMPLETED");
  }

  @Test
  @Tag("P4")
  void aPausedDefinitionStandsAsideUntilItsTimeIsOver() {
    String ws = sluice.workspace("PRO");
    sluice.definition(ws, "free");
    sluice
        .jdbc()
        .sql(
            "update workflow_definition set paused_at = now(), paused_until = now() + interval '2"
                + " seconds' where workspace_id = ? and id = 'job'")
        .param(ws)
        .update();
    sluice.signal(new Signal.CapacityChanged(ws));
    UUID paused = sluice.enqueue(ws, "{}");
    sluice.publish(
        ws,
        EventTypes.REQUESTED,
        "{\"workspaceId\":\"%s\",\"definitionId\":\"free\",\"idempotencyKey\":\"f\"}"
            .formatted(ws));
    sluice.awaitStatus(dev.sluice.contracts.ExecutionIds.ofKey(ws, "f"), "COMPLETED");
    assertThat(sluice.state(paused)).isEqualTo("PENDING");
    sluice.awaitStatus(paused, "COMPLETED");
  }

  @Test
  @Tag("P4")
  void aPausedWorkspaceGoesOnByItselfWhenItsTimeIsOver() {
    String ws = sluice.workspace("PRO");
    sluice
        .jdbc()
        .sql(
            "update workspace set paused_at = now(), paused_until = now() + interval '2 seconds'"
                + " where id = ?")
        .param(ws)
        .update();
    sluice.signal(new Signal.CapacityChanged(ws));
    UUID paused = sluice.enqueue(ws, "{}");
    sluice.awaitState(paused, "PENDING");
    await()
        .atMost(Duration.ofSeconds(6))
        .until(() -> sluice.workflowStatus(paused).equals("COMPLETED"));
  }

  @Test
  @Tag("L6")
  void aWorkflowThatDoesNotStopInItsTimeIsTerminated() {
    String ws = sluice.workspace("FREE");
    UUID stubborn = sluice.enqueue(ws, "{\"stubborn\":true}");
    sluice.awaitState(stubborn, "DISPATCHED");
    sluice.publish(
        ws,
        EventTypes.CANCEL_REQUESTED,
        "{\"workspaceId\":\"%s\",\"id\":\"%s\",\"terminateAfter\":\"PT1S\"}"
            .formatted(ws, stubborn));
    sluice.awaitStatus(stubborn, "TERMINATED");
    UUID next = sluice.enqueue(ws, "{}");
    sluice.awaitStatus(next, "COMPLETED");
  }

  @Test
  @Tag("L5")
  void maintenanceCancelEndsWhatWaitsAndAsksWhatRuns() {
    String ws = sluice.workspace("FREE");
    UUID running = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(running, "DISPATCHED");
    UUID waiting = sluice.enqueue(ws, "{}");
    sluice.awaitState(waiting, "PENDING");
    mode("cancel");
    try {
      sluice.signal(new Signal.CapacityChanged("*"));
      sluice.awaitState(waiting, "CANCELLED");
      sluice.awaitStatus(running, "CANCELED");
      UUID kept = sluice.enqueue(ws, "{}");
      sluice.awaitState(kept, "PENDING");
      mode("normal");
      sluice.signal(new Signal.CapacityChanged("*"));
      sluice.awaitStatus(kept, "COMPLETED");
    } finally {
      mode("normal");
    }
  }

  private void mode(String mode) {
    sluice
        .jdbc()
        .sql("update maintenance set mode = ?, changed_at = now() where mode <> ?")
        .params(mode, mode)
        .update();
  }

  private String workspace(String collision) {
    String ws = sluice.workspace("PRO");
    sluice
        .jdbc()
        .sql("update workflow_definition set collision = ? where workspace_id = ?")
        .params(collision, ws)
        .update();
    return ws;
  }
}
