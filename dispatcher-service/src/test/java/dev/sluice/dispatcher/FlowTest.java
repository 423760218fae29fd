package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who goes first, who waits, and who is taken back. */
class FlowTest {
  private final Sluice sluice = sluice();

  Sluice sluice() {
    return Sluice.shared();
  }

  @Test
  @Tag("Q27")
  void aHigherPriorityGoesFirst() {
    String ws = sluice.workspace("FREE");
    UUID blocker = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(blocker, "DISPATCHED");
    UUID last = sluice.enqueue(ws, "\"priority\":9,\"input\":{}", "last");
    UUID middle = sluice.enqueue(ws, "\"input\":{}", "middle");
    UUID first = sluice.enqueue(ws, "\"priority\":0,\"input\":{}", "first");
    sluice.awaitState(first, "PENDING");
    sluice.letGo(blocker);
    List.of(first, middle, last).forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
    assertThat(sluice.span(first).start()).isBefore(sluice.span(middle).start());
    assertThat(sluice.span(middle).start()).isBefore(sluice.span(last).start());
  }

  @Test
  @Tag("L4")
  void oneAtATimePerPartitionKeyAndOthersPassBy() {
    String ws = sluice.workspace("PRO");
    UUID holder = sluice.enqueue(ws, "\"partitionKey\":\"a\",\"input\":{\"wait\":true}", "1");
    sluice.awaitState(holder, "DISPATCHED");
    UUID blocked = sluice.enqueue(ws, "\"partitionKey\":\"a\",\"input\":{}", "2");
    UUID alsoBlocked = sluice.enqueue(ws, "\"partitionKey\":\"a\",\"input\":{}", "3");
    UUID other = sluice.enqueue(ws, "\"partitionKey\":\"b\",\"input\":{}", "4");
    sluice.awaitStatus(other, "COMPLETED");
    assertThat(sluice.state(blocked)).isEqualTo("PENDING");
    sluice.letGo(holder);
    sluice.awaitStatus(blocked, "COMPLETED");
    sluice.awaitStatus(alsoBlocked, "COMPLETED");
    assertThat(sluice.mostOpenAtOnce(List.of(holder, blocked, alsoBlocked))).isEqualTo(1);
  }

  @Test
  @Tag("Q27")
  void aDefinitionsOwnLimitHoldsAndOthersPassBy() {
    String ws = sluice.workspace("PRO");
    sluice
        .jdbc()
        .sql("update workflow_definition set concurrency_limit = 1 where workspace_id = ?")
        .param(ws)
        .update();
    sluice.definition(ws, "free");
    UUID holder = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(holder, "DISPATCHED");
    UUID blocked = sluice.enqueue(ws, "{}");
    sluice.publish(
        ws,
        EventTypes.REQUESTED,
        "{\"workspaceId\":\"%s\",\"definitionId\":\"free\",\"idempotencyKey\":\"f\",\"input\":{}}"
            .formatted(ws));
    sluice.awaitStatus(ExecutionIds.ofKey(ws, "f"), "COMPLETED");
    assertThat(sluice.state(blocked)).isEqualTo("PENDING");
    sluice.letGo(holder);
    sluice.awaitStatus(blocked, "COMPLETED");
  }

  @Test
  void anItemWaitsForItsNotBefore() {
    String ws = sluice.workspace("FREE");
    Instant due = Instant.now().plusMillis(1500);
    UUID id = sluice.enqueue(ws, "\"notBefore\":\"%s\",\"input\":{}".formatted(due), "later");
    UUID now = sluice.enqueue(ws, "{}");
    sluice.awaitStatus(now, "COMPLETED");
    assertThat(sluice.state(id)).isEqualTo("PENDING");
    sluice.awaitStatus(id, "COMPLETED");
    assertThat(sluice.span(id).start())
        .isAfterOrEqualTo(due.minusMillis(50))
        .isBefore(due.plusSeconds(2));
  }

  @Test
  void anItemThatCouldNotStartInTimeExpires() {
    String ws = sluice.workspace("FREE");
    UUID blocker = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(blocker, "DISPATCHED");
    UUID id =
        sluice.enqueue(
            ws,
            "\"expiresAt\":\"%s\",\"input\":{}".formatted(Instant.now().plusMillis(800)),
            "soon");
    sluice.awaitState(id, "EXPIRED");
    sluice.letGo(blocker);
  }

  @Test
  @Tag("L6")
  void queuedWorkIsCancelledAtOnceAndRunningWorkIsAsked() {
    String ws = sluice.workspace("FREE");
    UUID running = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(running, "DISPATCHED");
    UUID queued = sluice.enqueue(ws, "{}");
    sluice.awaitState(queued, "PENDING");
    String cancel = "{\"workspaceId\":\"%s\",\"id\":\"%s\"}";
    sluice.publish(ws, EventTypes.CANCEL_REQUESTED, cancel.formatted(ws, queued));
    sluice.awaitState(queued, "CANCELLED");
    sluice.publish(ws, EventTypes.CANCEL_REQUESTED, cancel.formatted(ws, running));
    sluice.awaitStatus(running, "CANCELED");
  }

  @Test
  @Tag("T2")
  void aFailedItemRetriedByHandKeepsItsId() {
    String ws = sluice.workspace("FREE");
    sluice.publish(
        ws,
        EventTypes.REQUESTED,
        "{\"workspaceId\":\"%s\",\"definitionId\":\"late\",\"idempotencyKey\":\"k\",\"input\":{}}"
            .formatted(ws));
    UUID id = ExecutionIds.ofKey(ws, "k");
    sluice.awaitState(id, "FAILED");
    sluice.definition(ws, "late");
    sluice.signal(new Signal.Retry(ws, id, UUID.randomUUID(), null));
    sluice.awaitStatus(id, "COMPLETED");
  }

  @Test
  @Tag("T2")
  void aClosedWorkflowIsRetriedUnderANewIdThatNamesTheOld() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{}");
    sluice.awaitStatus(id, "COMPLETED");
    UUID again = ExecutionIds.mint();
    sluice.signal(new Signal.Retry(ws, id, again, "because"));
    sluice.awaitStatus(again, "COMPLETED");
    assertThat(
            sluice
                .jdbc()
                .sql("select retry_of from workflow_execution_queue where id = ?")
                .param(again)
                .query(UUID.class)
                .single())
        .isEqualTo(id);
  }

  @Test
  @Tag("L2")
  void theDeadlineCountsFromTheStartAndNotFromTheEnqueue() {
    String ws = sluice.workspace("FREE");
    UUID blocker = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(blocker, "DISPATCHED");
    UUID id = sluice.enqueue(ws, "\"deadline\":\"PT1S\",\"input\":{\"wait\":true}", "due");
    sluice.awaitState(id, "PENDING");
    Instant waitedUntil = Instant.now().plusMillis(1500);
    await().until(() -> Instant.now().isAfter(waitedUntil));
    assertThat(sluice.state(id)).isEqualTo("PENDING");
    sluice.letGo(blocker);
    sluice.awaitStatus(id, "TIMED_OUT");
    assertThat(Duration.between(sluice.span(id).start(), sluice.span(id).close()))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
  }

  @Test
  void loweringALimitKillsNothingAndAdmitsNothingOverIt() {
    String ws = sluice.workspace("PRO");
    var running = new ArrayList<UUID>();
    for (int i = 0; i < 3; i++) {
      running.add(sluice.enqueue(ws, "{\"wait\":true}"));
    }
    running.forEach(id -> sluice.awaitState(id, "DISPATCHED"));
    sluice.jdbc().sql("update workspace set plan_id = 'FREE' where id = ?").param(ws).update();
    sluice.signal(new Signal.CapacityChanged(ws));
    UUID waiting = sluice.enqueue(ws, "{}");
    sluice.awaitState(waiting, "PENDING");
    sluice.letGo(running.get(0));
    sluice.letGo(running.get(1));
    sluice.awaitStatus(running.get(1), "COMPLETED");
    assertThat(sluice.workflowStatus(running.get(2))).isEqualTo("RUNNING");
    assertThat(sluice.state(waiting)).isEqualTo("PENDING");
    sluice.letGo(running.get(2));
    sluice.awaitStatus(waiting, "COMPLETED");
  }

  @Test
  void whatWaitsForADeletedDefinitionFailsAndSaysSo() {
    String ws = sluice.workspace("FREE");
    UUID blocker = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(blocker, "DISPATCHED");
    UUID waiting = sluice.enqueue(ws, "{}");
    sluice.awaitState(waiting, "PENDING");
    sluice.jdbc().sql("delete from workflow_definition where workspace_id = ?").param(ws).update();
    sluice.letGo(blocker);
    sluice.awaitState(waiting, "FAILED");
    assertThat(sluice.failure(waiting)).startsWith("UNKNOWN_DEFINITION").contains("deleted");
  }

  @Test
  void whatWaitsForADeletedWorkspaceFailsAndSaysSo() {
    String ws = sluice.workspace("FREE");
    UUID blocker = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(blocker, "DISPATCHED");
    UUID waiting = sluice.enqueue(ws, "{}");
    sluice.awaitState(waiting, "PENDING");
    sluice.jdbc().sql("delete from workspace where id = ?").param(ws).update();
    sluice.letGo(blocker);
    sluice.awaitState(waiting, "FAILED");
    assertThat(sluice.failure(waiting)).startsWith("UNKNOWN_WORKSPACE").contains("deleted");
  }

  @Test
  void aRaisedLimitTakesEffectAtOnce() {
    String ws = sluice.workspace("FREE");
    UUID first = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(first, "DISPATCHED");
    UUID second = sluice.enqueue(ws, "{\"wait\":true}");
    sluice.awaitState(second, "PENDING");
    sluice.jdbc().sql("update workspace set plan_id = 'PRO' where id = ?").param(ws).update();
    sluice.signal(new Signal.CapacityChanged(ws));
    await().atMost(Duration.ofSeconds(1)).until(() -> sluice.state(second).equals("DISPATCHED"));
    sluice.letGo(first);
    sluice.letGo(second);
  }
}
