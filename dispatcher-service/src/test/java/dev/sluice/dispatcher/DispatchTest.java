package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From a Kafka record to a closed workflow, on real servers. */
class DispatchTest {
  private final Sluice sluice = sluice();

  Sluice sluice() {
    return Sluice.shared();
  }

  @Test
  @Tag("Q1")
  @Tag("Q10")
  void aRequestIsStartedAndItsResultIsKept() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{\"n\":1.10}");
    sluice.awaitStatus(id, "COMPLETED");
    var row =
        sluice
            .jdbc()
            .sql(
                "select q.state, q.accepted_at, q.claimed_at, q.dispatched_at, q.run_id,"
                    + " e.closed_at, e.result::text as result from workflow_execution_queue q join"
                    + " workflow_execution e using (id) where id = ?")
            .param(id)
            .query()
            .singleRow();
    assertThat(row.get("state")).isEqualTo("DISPATCHED");
    assertThat(row.get("result")).isEqualTo("{\"n\":1.1}");
    assertThat((String) row.get("run_id")).isNotEmpty();
    assertThat(row.get("closed_at")).isNotNull();
  }

  @Test
  @Tag("Q5")
  @Tag("Q6")
  @Tag("Q7")
  void openWorkflowsNeverExceedThePlan() {
    record Plan(String workspace, int limit, List<UUID> ids) {}
    var plans = new ArrayList<Plan>();
    for (var plan : List.of("FREE:1:6", "PRO:5:15", "ENTERPRISE:20:60")) {
      String[] parts = plan.split(":");
      String ws = sluice.workspace(parts[0]);
      var ids = new ArrayList<UUID>();
      for (int i = 0; i < Integer.parseInt(parts[2]); i++) {
        ids.add(sluice.enqueue(ws, "{\"wait\":true}"));
      }
      plans.add(new Plan(ws, Integer.parseInt(parts[1]), ids));
    }
    for (Plan plan : plans) {
      await().until(() -> held(plan.workspace()) == plan.limit());
      for (UUID id : plan.ids()) {
        sluice.awaitState(id, "DISPATCHED");
        sluice.letGo(id);
      }
      plan.ids().forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
      assertThat(sluice.mostOpenAtOnce(plan.ids())).isEqualTo(plan.limit());
    }
  }

  @Test
  void requestsOfAWorkspaceStartInTheOrderTheyWereAccepted() {
    String ws = sluice.workspace("PRO");
    var ids = new ArrayList<UUID>();
    for (int i = 0; i < 20; i++) {
      ids.add(sluice.enqueue(ws, "{\"sleepMs\":5}"));
    }
    ids.forEach(id -> sluice.awaitStatus(id, "COMPLETED"));
    List<UUID> started =
        ids.stream().sorted(Comparator.comparing(id -> sluice.span(id).start())).toList();
    assertThat(started).isEqualTo(ids);
  }

  @Test
  @Tag("Q8")
  void anUnknownWorkspaceOrDefinitionFailsAtOnceAndSaysWhich() {
    String ws = sluice.workspace("FREE");
    UUID noWorkspace = sluice.enqueue("nowhere", "{}");
    sluice.awaitState(noWorkspace, "FAILED");
    sluice.publish(
        ws,
        EventTypes.REQUESTED,
        "{\"workspaceId\":\"%s\",\"definitionId\":\"nothing\",\"idempotencyKey\":\"k\"}"
            .formatted(ws));
    UUID noDefinition = ExecutionIds.ofKey(ws, "k");
    sluice.awaitState(noDefinition, "FAILED");
    assertThat(sluice.failure(noWorkspace)).startsWith("UNKNOWN_WORKSPACE").contains("nowhere");
    assertThat(sluice.failure(noDefinition)).startsWith("UNKNOWN_DEFINITION").contains("nothing");
  }

  @Test
  void theSameRequestDeliveredManyTimesIsOneWorkflow() {
    String ws = sluice.workspace("PRO");
    UUID id = sluice.enqueue(ws, "\"input\":{}", "same");
    for (int i = 0; i < 5; i++) {
      sluice.enqueue(ws, "\"input\":{}", "same");
    }
    UUID last = sluice.enqueue(ws, "{}");
    sluice.awaitStatus(last, "COMPLETED");
    assertThat(sluice.workflowStatus(id)).isEqualTo("COMPLETED");
    assertThat(count(ws)).isEqualTo(2);
  }

  @Test
  void aSlotFreedByATerminatedWorkflowIsReused() {
    String ws = sluice.workspace("FREE");
    UUID first = sluice.enqueue(ws, "{\"wait\":true}");
    UUID second = sluice.enqueue(ws, "{}");
    sluice.awaitState(first, "DISPATCHED");
    assertThat(sluice.state(second)).isIn("", "PENDING");
    sluice.temporal().newUntypedWorkflowStub(ExecutionIds.workflowId(first)).terminate("by hand");
    sluice.awaitStatus(second, "COMPLETED");
    assertThat(sluice.workflowStatus(first)).isEqualTo("TERMINATED");
  }

  @Test
  void aFailedWorkflowShowsItsMessage() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{\"fail\":\"no ink\"}");
    sluice.awaitStatus(id, "FAILED");
    String error =
        sluice
            .jdbc()
            .sql("select error from workflow_execution where id = ?")
            .param(id)
            .query(String.class)
            .single();
    assertThat(error).contains("no ink");
  }

  @Test
  @Tag("Q11")
  @Tag("Q16")
  @Tag("Q17")
  void aClaimOfADeadDispatcherIsRedrivenAndRunsOnce() {
    String ws = sluice.workspace("FREE");
    UUID id = UUID.randomUUID();
    sluice
        .jdbc()
        .sql(
            "insert into workflow_execution_queue (id, workspace_id, definition_id,"
                + " definition_version, state, priority, input, claim_token, claimed_at) values (?,"
                + " ?, 'job', 1, 'CLAIMED', 5, '{}', gen_random_uuid(), now() - interval '1 hour')")
        .params(id, ws)
        .update();
    sluice.signal(new Signal.Redrive(ws, id));
    sluice.awaitStatus(id, "COMPLETED");
    assertThat(
            sluice
                .jdbc()
                .sql("select redrives from workflow_execution_queue where id = ?")
                .param(id)
                .query(Integer.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void aWorkflowThatContinuesAsNewKeepsItsSlot() {
    String ws = sluice.workspace("FREE");
    UUID id = sluice.enqueue(ws, "{\"continueAsNew\":true}");
    UUID next = sluice.enqueue(ws, "{}");
    String first = await().until(() -> runId(id), r -> r != null);
    await()
        .until(
            () ->
                !sluice
                    .temporal()
                    .newUntypedWorkflowStub(ExecutionIds.workflowId(id))
                    .describe()
                    .getExecution()
                    .getRunId()
                    .equals(first));
    assertThat(sluice.workflowStatus(id)).isEqualTo("RUNNING");
    assertThat(sluice.state(next)).isIn("", "PENDING");
    sluice.letGo(id);
    sluice.awaitStatus(id, "COMPLETED");
    sluice.awaitStatus(next, "COMPLETED");
  }

  private String runId(UUID id) {
    return sluice
        .jdbc()
        .sql("select run_id from workflow_execution_queue where id = ?")
        .param(id)
        .query(String.class)
        .optional()
        .orElse(null);
  }

  private int held(String workspace) {
    return sluice
        .jdbc()
        .sql(
            "select count(*) from workflow_execution e join workflow_execution_queue q using (id)"
                + " where e.workspace_id = ? and e.status = 'RUNNING' and q.state = 'DISPATCHED'")
        .param(workspace)
        .query(Integer.class)
        .single();
  }

  private int count(String workspace) {
    return sluice
        .jdbc()
        .sql("select count(*) from workflow_execution_queue where workspace_id = ?")
        .param(workspace)
        .query(Integer.class)
        .single();
  }
}
