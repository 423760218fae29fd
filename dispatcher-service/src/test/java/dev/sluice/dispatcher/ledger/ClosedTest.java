package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Every close is told, and who stands aside for it is heard of. */
class ClosedTest {
  private static final String SLOT = "closed_test";

  private final JdbcTemplate jdbc = LedgerDatabase.fresh("closed");
  private final FinishLedger ledger = new FinishLedger(jdbc);

  @BeforeEach
  void listenToTheLog() {
    jdbc.execute("create publication told");
    jdbc.queryForList("select pg_create_logical_replication_slot(?, 'pgoutput')", SLOT);
  }

  @AfterEach
  void stopListening() {
    jdbc.queryForList("select pg_drop_replication_slot(?)", SLOT);
  }

  @Test
  void theCloseOfAWorkflowThatNobodyWaitsForIsTold() {
    UUID id = running();
    assertThat(ledger.close(List.of(completed(id)))).isEmpty();
    assertThat(told()).hasSize(1).first().asString().contains("[\"" + id + "\",\"closed\",");
  }

  @Test
  void whoStandsAsideForItsDefinitionIsHeardOf() {
    UUID id = running();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, gate, parked_on) values (gen_random_uuid(), 'w', 'd', 1,"
            + " 'PENDING', 5, '{}', 'parked', 'definition')");
    assertThat(ledger.close(List.of(completed(id)))).extracting(Freed::id).containsExactly(id);
    assertThat(told()).hasSize(1);
  }

  @Test
  void oneThatIsClosedAlreadyIsNotToldAgain() {
    UUID id = running();
    ledger.close(List.of(completed(id)));
    ledger.close(List.of(completed(id)));
    assertThat(told()).hasSize(1);
  }

  private UUID running() {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, dispatched_at) values (?, 'w', 'd', 1, 'DISPATCHED', 5,"
            + " '{}', now())",
        id);
    jdbc.update(
        "insert into workflow_execution (id, workspace_id, definition_id, definition_version,"
            + " started_at) values (?, 'w', 'd', 1, now())",
        id);
    return id;
  }

  private static Close completed(UUID id) {
    return new Close(id, "w", WorkflowStatus.COMPLETED, "{}", null, "run");
  }

  /** The messages in the log since the test began. */
  private List<String> told() {
    return jdbc.queryForList(
        "select encode(data, 'escape') from pg_logical_slot_peek_binary_changes(?, null, null,"
            + " 'proto_version', '1', 'publication_names', 'told', 'messages', 'true') where"
            + " encode(data, 'escape') like '%sluice.outbox%'",
        String.class, SLOT);
  }
}
