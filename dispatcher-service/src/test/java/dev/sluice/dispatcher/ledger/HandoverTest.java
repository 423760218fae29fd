package dev.sluice.dispatcher.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A slot goes from a workflow that has closed to the first in line, and only where it may. */
@Tag("Q5")
@Tag("Q7")
class HandoverTest {
  private final JdbcTemplate jdbc = LedgerDatabase.fresh("handover");
  private final UUID us = UUID.randomUUID();
  private final HandoverLedger ledger = new HandoverLedger(jdbc, us);

  @BeforeEach
  void aWorkspaceWithOneSlotAndANeighbour() {
    for (String workspace : List.of("v", "w")) {
      jdbc.update("insert into workspace (id, plan_id) values (?, 'FREE')", workspace);
      jdbc.update(
          "insert into workflow_definition (workspace_id, id, current_version) values (?, 'd', 1)",
          workspace);
      jdbc.update(
          "insert into workflow_definition_version (workspace_id, definition_id, version,"
              + " workflow_type, task_queue) values (?, 'd', 1, 'Report', 'reports')",
          workspace);
    }
  }

  @Test
  void theFirstInLineGetsTheSlot() {
    UUID before = running("w");
    UUID third = waiting("w", 5);
    UUID second = waiting("w", 5);
    UUID first = waiting("w", 0);
    UUID neighbour = waiting("v", 0);
    Optional<Given> given = handOver(before, 10);
    assertThat(given.orElseThrow().claims()).extracting(Claim::id).containsExactly(first);
    assertThat(given.orElseThrow().atCapacity()).isTrue();
    assertThat(state(first)).isEqualTo("CLAIMED");
    assertThat(List.of(state(second), state(third), state(neighbour))).containsOnly("PENDING");
    assertThat(statuses(before)).containsExactly("COMPLETED");
    assertThat(statuses(first)).containsExactly("RUNNING");
    assertThat(
            jdbc.queryForObject(
                "select claim_owner from workflow_execution_queue where id = ?", UUID.class, first))
        .isEqualTo(us);
  }

  @Test
  void whereMoreIsFreeMoreAreClaimedInTheirOrderAndNoMoreThanAsked() {
    jdbc.update("update workspace set concurrency_limit = 4");
    UUID before = running("w");
    List<UUID> line = List.of(waiting("w", 5), waiting("w", 5), waiting("w", 5), waiting("w", 5));
    Optional<Given> given = handOver(before, 3);
    assertThat(given.orElseThrow().claims())
        .extracting(Claim::id)
        .containsExactlyElementsOf(line.subList(0, 3));
    assertThat(given.orElseThrow().atCapacity()).isFalse();
  }

  @Test
  void whereNobodyWaitsTheSlotIsFree() {
    UUID before = running("w");
    Optional<Given> given = handOver(before, 10);
    assertThat(given.orElseThrow().claims()).isEmpty();
    assertThat(held("w")).isZero();
  }

  @Test
  void aLimitThatWasLoweredIsHeld() {
    jdbc.update("update workspace set concurrency_limit = 2");
    UUID before = running("w");
    running("w");
    UUID next = waiting("w", 5);
    jdbc.update("update workspace set concurrency_limit = 1");
    assertThat(handOver(before, 10).orElseThrow().claims()).isEmpty();
    assertThat(held("w")).isEqualTo(1);
    assertThat(state(next)).isEqualTo("PENDING");
  }

  @Test
  void aCloseCountsOnce() {
    UUID before = running("w");
    waiting("w", 5);
    waiting("w", 5);
    assertThat(handOver(before, 10)).isPresent();
    assertThat(handOver(before, 10)).isEmpty();
    assertThat(held("w")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update workspace set paused_at = now()",
        "update workspace set starts_per_second = 1",
        "update workflow_definition set concurrency_limit = 1",
        "update workflow_definition set paused_at = now()",
        "update maintenance set mode = 'drain'",
        "update system_limit set concurrency_limit = 10",
        "update workflow_execution set partition_key = 'k'",
        "update workflow_execution set limit_keys = '{k}'",
        "update workflow_execution_queue set gate = 'parked', parked_on = 'definition' where state"
            + " = 'PENDING'",
        "update workflow_execution_queue set state = 'CLAIMED', claim_token = gen_random_uuid(),"
            + " claimed_at = now(), claim_owner = gen_random_uuid() where state = 'PENDING'"
      })
  void whereMoreHasToBeLookedAtNothingIsDone(String restraint) {
    UUID before = running("w");
    waiting("w", 5);
    jdbc.update(restraint);
    assertThat(handOver(before, 10)).isEmpty();
    assertThat(statuses(before)).containsExactly("RUNNING");
  }

  @Test
  void aCloseThatCameBeforeItsStartWasWrittenBackWaitsForThat() {
    UUID before = running("w");
    jdbc.execute("alter table workflow_execution_queue disable trigger user");
    jdbc.update(
        "update workflow_execution_queue set state = 'CLAIMED', claim_token = gen_random_uuid(),"
            + " claimed_at = now(), claim_owner = ?",
        us);
    assertThat(handOver(before, 10)).isEmpty();
    assertThat(held("w")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition_key = 'k'",
        "limit_keys = '{k}', limit_maxes = '{1}'",
        "expires_at = now() + interval '1 hour'",
        "definition_version = 7"
      })
  void whoMayHaveToStandAsideIsNotClaimedButLookedAtAgain(String hindrance) {
    UUID before = running("w");
    UUID next = waiting("w", 5);
    jdbc.update("update workflow_execution_queue set " + hindrance + " where id = ?", next);
    Optional<Given> given = handOver(before, 10);
    assertThat(given.orElseThrow().claims()).isEmpty();
    assertThat(given.orElseThrow().turns()).isPositive();
    assertThat(statuses(before)).containsExactly("COMPLETED");
    assertThat(state(next)).isEqualTo("PENDING");
  }

  private Optional<Given> handOver(UUID id, int most) {
    return ledger.handOver(
        new Close(id, "w", WorkflowStatus.COMPLETED, "{}", null, "run"), new Ask("w", most, 0));
  }

  private UUID running(String workspace) {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, dispatched_at) values (?, ?, 'd', 1, 'DISPATCHED', 5,"
            + " '{}', now())",
        id,
        workspace);
    jdbc.update(
        "insert into workflow_execution (id, workspace_id, definition_id, definition_version)"
            + " values (?, ?, 'd', 1)",
        id,
        workspace);
    return id;
  }

  private UUID waiting(String workspace, int priority) {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input) values (?, ?, 'd', 1, 'PENDING', ?, '{}')",
        id,
        workspace,
        priority);
    return id;
  }

  private String state(UUID id) {
    return requireNonNull(
        jdbc.queryForObject(
            "select state from workflow_execution_queue where id = ?", String.class, id));
  }

  private List<String> statuses(UUID id) {
    return jdbc.queryForList(
        "select status from workflow_execution where id = ?", String.class, id);
  }

  private int held(String workspace) {
    return requireNonNull(
        jdbc.queryForObject(
            "select count(*) from workflow_execution where status = 'RUNNING' and workspace_id = ?",
            Integer.class,
            workspace));
  }
}
