package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.ledger.GaugeLedger.Standing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What is looked at again and again costs nothing for all that was over long ago. */
@Tag("Q19")
class IdleCostTest {
  private static final int OVER = 5_000;

  /** Of each look at most: roots and leaves of indexes, the catalogue's few rows. */
  private static final long NEXT_TO_NOTHING = 100;

  private final SingleConnectionDataSource connection = LedgerDatabase.session("idle");
  private final JdbcTemplate jdbc = new JdbcTemplate(connection);
  private final TakeoverLedger takeover = new TakeoverLedger(jdbc, UUID.randomUUID());
  private final GaugeLedger gauges = new GaugeLedger(jdbc);
  private final WakeLedger wake = new WakeLedger(jdbc);

  @BeforeEach
  void manyAreOverAndAFewWait() {
    jdbc.update("insert into workspace (id, plan_id) values ('w', 'FREE')");
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, claimed_at, dispatched_at) select gen_random_uuid(), 'w',"
            + " 'd', 1, 'DISPATCHED', 5, '{}', now(), now() from generate_series(1, ?)",
        OVER);
    jdbc.update(
        "insert into workflow_execution (id, workspace_id, definition_id, definition_version,"
            + " status, closed_at) select id, 'w', 'd', 1, 'COMPLETED', now() from"
            + " workflow_execution_queue");
    waits("ready", null);
    waits("delayed", null);
    waits("parked", "partition");
    waits("parked", "definition");
    waits("parked", "limit");
    waits("parked", "paused");
    jdbc.execute("analyze");
  }

  @AfterEach
  void close() {
    connection.destroy();
  }

  private void waits(String gate, @Nullable String parkedOn) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, gate, ready_at, parked_on, parked_key) values"
            + " (gen_random_uuid(), 'w', 'd', 1, 'PENDING', 5, '{}', ?, case when ? = 'delayed'"
            + " then now() + interval '1 hour' end, ?, case when ? = 'limit' then 'key' end)",
        gate,
        gate,
        parkedOn,
        parkedOn);
  }

  @Test
  void theGauges() {
    Standing[] standing = new Standing[1];
    assertThat(rowsReadBy(() -> standing[0] = gauges.read())).isLessThan(NEXT_TO_NOTHING);
    assertThat(standing[0].pending()).isEqualTo(6);
    assertThat(standing[0].held()).isZero();
  }

  @Test
  void theSweep() {
    assertThat(
            rowsReadBy(
                () -> {
                  assertThat(takeover.waitingWorkspaces()).containsExactly("w");
                  assertThat(takeover.parkedWorkspaces()).containsExactly("w");
                  assertThat(takeover.quietClaims()).isEmpty();
                  assertThat(takeover.endedByMaintenance(10)).isEmpty();
                }))
        .isLessThan(NEXT_TO_NOTHING);
  }

  /** Statistics from before say that nothing is claimed or runs, as every quiet night's do. */
  @Test
  void theSweepWhileMuchIsClaimed() {
    int claimed = 400;
    claim(claimed, "0 seconds");
    assertThat(
            rowsReadBy(
                () -> {
                  assertThat(takeover.quietClaims()).isEmpty();
                  assertThat(takeover.endedByMaintenance(10)).isEmpty();
                }))
        .as("each claim is looked at a few times, not once for each other")
        .isLessThan(5 * claimed);
    claim(1, "1 minute");
    assertThat(takeover.quietClaims()).as("and those of its workspace with it").hasSize(5);
  }

  /** Four in each workspace, and they run. */
  private void claim(int count, String ago) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, claim_token, claimed_at) select gen_random_uuid(), 'w' ||"
            + " i % greatest(1, ? / 4), 'd', 1, 'CLAIMED', 5, '{}', gen_random_uuid(), now() -"
            + " ?::interval from generate_series(0, ? - 1) as i",
        count, ago, count);
    jdbc.update(
        "insert into workflow_execution (id, workspace_id, definition_id, definition_version)"
            + " select id, workspace_id, 'd', 1 from workflow_execution_queue where state ="
            + " 'CLAIMED' on conflict do nothing");
  }

  @Test
  void theWaker() {
    assertThat(
            rowsReadBy(
                () -> {
                  assertThat(wake.wake(10)).isEmpty();
                  assertThat(wake.overdue(10)).isEmpty();
                  assertThat(wake.stopNow(10)).isEmpty();
                  assertThat(wake.untilNext()).isPresent();
                }))
        .isLessThan(NEXT_TO_NOTHING);
  }

  @Test
  @Tag("L5")
  void maintenanceEndsWhatWaited() {
    jdbc.update("update maintenance set mode = 'cancel', changed_at = now() + interval '1 minute'");
    assertThat(takeover.endedByMaintenance(10)).hasSize(6);
    assertThat(takeover.endedByMaintenance(2)).hasSize(2);
  }

  /** Index entries and rows of both tables. */
  private long rowsReadBy(Runnable look) {
    long before = rowsRead();
    look.run();
    return rowsRead() - before;
  }

  private long rowsRead() {
    jdbc.execute("select pg_stat_force_next_flush()");
    Long read =
        jdbc.queryForObject(
            "select (select sum(idx_tup_read) from pg_stat_user_indexes)"
                + " + (select sum(seq_tup_read) from pg_stat_user_tables)",
            Long.class);
    return read == null ? 0 : read;
  }
}
