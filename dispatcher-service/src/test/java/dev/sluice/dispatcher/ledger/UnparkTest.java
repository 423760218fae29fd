package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Who gets back in line when a limit changed, whatever else waits. */
class UnparkTest {
  private static final int MOST = 10;

  private final JdbcTemplate jdbc = LedgerDatabase.fresh("unpark");
  private final FinishLedger ledger = new FinishLedger(jdbc);

  @BeforeEach
  void manyWaitForOneKeyThatIsHeld() {
    jdbc.update("insert into workspace (id, plan_id) values ('w', 'PRO'), ('other', 'PRO')");
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) select w, d, 1 from"
            + " unnest(array['w', 'other']) w, unnest(array['free', 'full', 'resumed', 'paused'])"
            + " d");
    jdbc.update("update workflow_definition set concurrency_limit = 0 where id = 'full'");
    jdbc.update("update workflow_definition set concurrency_limit = 2 where id = 'free'");
    jdbc.update("update workflow_definition set paused_at = now() where id = 'paused'");
    parked("w", 2000, "free", "partition", "hot", null);
    running("w", "hot", null);
  }

  @Test
  void thousandsThatWaitForAKeyKeepNobodyFromADefinitionWithRoom() {
    parked("w", 2, "free", "definition", null, null);
    parked("w", 2000, "full", "definition", null, null);

    assertThat(unpark("w")).containsExactly("free", "free");
  }

  @Test
  void whatWaitedForAPauseGetsBackInLineOnceThatIsOver() {
    parked("w", 3, "resumed", "paused", null, null);
    parked("w", 3, "paused", "paused", null, null);

    assertThat(unpark("w")).containsExactly("resumed", "resumed", "resumed");
  }

  @Test
  void ofAKeyThatIsFreeTheFirstGetsBackInLine() {
    parked("w", 5, "full", "partition", "cold", null);

    assertThat(unpark("w")).containsExactly("full");
  }

  @Test
  void whoseOwnLimitHasRoomGetsBackInLine() {
    parked("w", 2, "free", "limit", null, 3);
    parked("w", 2, "full", "limit", null, 1);
    running("w", null, "user:42");

    assertThat(unpark("w")).containsExactly("free", "free");
  }

  @Test
  void oneWorkspaceDoesNotUseUpWhatIsForAnother() {
    parked("w", 2 * MOST, "resumed", "paused", null, null);
    parked("other", 2, "free", "definition", null, null);

    assertThat(unpark("w", "other")).hasSize(MOST + 2).contains("free", "free");
  }

  /** The definitions of those that are in line then. */
  private List<String> unpark(String... workspaces) {
    ledger.unparkAll(List.of(workspaces), MOST);
    return jdbc.queryForList(
        "select definition_id from workflow_execution_queue where state = 'PENDING' and gate ="
            + " 'ready' order by seq",
        String.class);
  }

  private void parked(
      String workspace, int count, String definition, String on, String partitionKey, Integer max) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, gate, parked_on, partition_key, parked_key, parked_max)"
            + " select gen_random_uuid(), ?, ?, 1, 'PENDING', 5, '{}', 'parked', ?, ?, case when"
            + " ?::int is not null then 'user:42' end, ? from generate_series(1, ?)",
        workspace,
        definition,
        on,
        partitionKey,
        max,
        max,
        count);
  }

  private void running(String workspace, String partitionKey, String limitKey) {
    jdbc.update(
        "with started as (insert into workflow_execution_queue (id, workspace_id, definition_id,"
            + " definition_version, state, priority, input, dispatched_at) values"
            + " (gen_random_uuid(), ?, 'paused', 1, 'DISPATCHED', 5, '{}', now()) returning *)"
            + " insert into workflow_execution (id, workspace_id, definition_id,"
            + " definition_version, partition_key, limit_keys, started_at) select id, workspace_id,"
            + " definition_id, 1, ?, case when ?::text is not null then array[?::text] end, now()"
            + " from started",
        workspace,
        partitionKey,
        limitKey,
        limitKey);
  }
}
