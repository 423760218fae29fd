package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class AgingTest {
  private final JdbcTemplate jdbc = LedgerDatabase.fresh("aging");

  @BeforeEach
  void fill() {
    jdbc.update("insert into workspace (id, plan_id) values ('w', 'FREE')");
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) values ('w', 'd', 1)");
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values ('w', 'd', 1, 'T', 'q')");
    row(9, "90 minutes");
    row(5, "1 minute");
    row(0, "0 minutes");
  }

  @Test
  @Tag("Q27")
  void withoutAgingThePriorityAloneCounts() {
    assertThat(firstWith(Duration.ZERO)).isEqualTo(0);
  }

  @Test
  @Tag("Q27")
  void whatWaitedLongEnoughComesFirstThoughItsPriorityIsTheLast() {
    assertThat(firstWith(Duration.ofMinutes(10))).isEqualTo(9);
  }

  @Test
  void agingDoesNotTurnAYoungOneIntoAnOldOne() {
    assertThat(firstWith(Duration.ofHours(1))).isEqualTo(0);
  }

  private int firstWith(Duration aging) {
    var ledger = new AdmitLedger(jdbc, UUID.randomUUID(), aging);
    return ledger.claim(List.of(new Ask("w", 1, 0))).getFirst().claims().getFirst().priority();
  }

  private void row(int priority, String age) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, accepted_at) values (gen_random_uuid(), 'w', 'd', 1,"
            + " 'PENDING', ?, '{}', now() - ?::interval)",
        priority,
        age);
  }
}
