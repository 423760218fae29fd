package dev.sluice.dispatcher.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.SettleLedger.Started;
import dev.sluice.dispatcher.settle.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Statements that were planned while nothing waited, and are used when thousands do: before
 * PostgreSQL has counted them, a plan that goes through all that waits for each of a batch takes
 * seconds.
 */
class YoungStatisticsTest {
  private static final int WORKSPACES = 128;
  private static final int WAITING = 12_000;
  private static final Duration SLOW = Duration.ofMillis(1500);

  private final SingleConnectionDataSource connection = LedgerDatabase.session("young");
  private final JdbcTemplate jdbc = new JdbcTemplate(connection);
  private final AdmitLedger admit = new AdmitLedger(jdbc, UUID.randomUUID(), Duration.ZERO);
  private final SettleLedger settle = new SettleLedger(jdbc);

  @BeforeEach
  void planWhileNothingWaits() {
    jdbc.execute("alter table workflow_execution_queue set (autovacuum_enabled = off)");
    jdbc.execute("alter table workflow_execution set (autovacuum_enabled = off)");
    jdbc.update(
        "insert into workspace (id, plan_id, concurrency_limit) select 'w' || n, 'PRO', 1000 from"
            + " generate_series(1, ?) n",
        WORKSPACES);
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) select id, 'd', 1 from"
            + " workspace");
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) select id, 'd', 1, 'T', 'q' from workspace");
    admit.claim(List.of(new Ask("w1", 1, 0)));
    settle.release(List.of());
  }

  @AfterEach
  void close() {
    connection.destroy();
  }

  @Test
  @Tag("Q25")
  void claimsAndReleasesOfABatchAreQuickWhateverWaits() {
    wait("null");

    long began = System.nanoTime();
    List<Claim> claims = claim(2, 0);
    settle.release(claims.stream().map(Settlement::unsent).toList());

    assertThat(claims).hasSize(2 * WORKSPACES);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SLOW);
  }

  @Test
  void aWriteBackReadsItsOwnRowsHoweverManyThereAre() {
    var unknown = new Started(UUID.randomUUID(), UUID.randomUUID(), "run");
    assertThat(settle.dispatched(List.of(unknown))).isEmpty(); // planned
    run(WAITING);
    wait("null");
    List<Claim> claims = claim(2, 0);
    List<Started> some =
        claims.stream().limit(20).map(c -> new Started(c.id(), c.token(), "run")).toList();

    long before = read();
    assertThat(settle.dispatched(some)).hasSize(20);

    assertThat(read() - before).isLessThan(100);
  }

  /** Rows of the queue that were found by any index, in this session's last transactions, too. */
  private long read() {
    jdbc.execute("select pg_stat_force_next_flush()");
    Long read =
        jdbc.queryForObject(
            "select idx_tup_fetch from pg_stat_user_tables where relname ="
                + " 'workflow_execution_queue'",
            Long.class);
    return requireNonNull(read);
  }

  @Test
  void standingAsideIsQuickHoweverManyDo() {
    wait("'hot'");
    assertThat(claim(1, 0)).hasSize(WORKSPACES); // the first of each workspace's key

    long began = System.nanoTime();
    assertThat(claim(2, 8)).isEmpty();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SLOW);
    assertThat(
            jdbc.queryForObject(
                "select count(*) from workflow_execution_queue where gate = 'parked'",
                Integer.class))
        .isEqualTo(10 * WORKSPACES);
  }

  @Test
  @Tag("Q25")
  void whatIsDoneForOneIsQuickWhateverWaits() {
    var owner = UUID.randomUUID();
    var handover = new HandoverLedger(jdbc, owner);
    var enter = new EnterLedger(jdbc, owner);
    var request =
        new ExecutionRequest("free", "d", "{}", null, 5, null, null, null, null, List.of(), null);
    jdbc.update("insert into workspace (id, plan_id) values ('free', 'PRO')");
    jdbc.update("insert into workflow_definition values ('free', 'd', 1)");
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values ('free', 'd', 1, 'T', 'q')");
    enter.enter(List.of(new NewItem(UUID.randomUUID(), request, null)), Map.of("free", 1));
    handover.handOver(completed(UUID.randomUUID()), new Ask("w1", 1, 0));
    List<UUID> running = run(WORKSPACES);
    wait("null");

    long began = System.nanoTime();
    for (int n = 0; n < 50; n++) {
      assertThat(handover.handOver(completed(running.get(n)), new Ask("w1", 1, 0)))
          .get()
          .satisfies(given -> assertThat(given.claims()).hasSize(1));
    }
    for (int n = 0; n < 4; n++) {
      var item = new NewItem(UUID.randomUUID(), request, null);
      assertThat(enter.enter(List.of(item), Map.of("free", 1)).claims()).hasSize(1);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SLOW);
  }

  private static Close completed(UUID id) {
    return new Close(id, "w1", WorkflowStatus.COMPLETED, null, null, "run");
  }

  private List<UUID> run(int count) {
    return jdbc.queryForList(
        "with started as (insert into workflow_execution_queue (id, workspace_id, definition_id,"
            + " definition_version, state, priority, input, dispatched_at) select"
            + " gen_random_uuid(), 'w1', 'd', 1, 'DISPATCHED', 5, '{}', now() from"
            + " generate_series(1, ?) returning *) insert into workflow_execution (id,"
            + " workspace_id, definition_id, definition_version) select id, workspace_id,"
            + " definition_id, definition_version from started returning id",
        UUID.class,
        count);
  }

  private List<Claim> claim(int each, int lookAhead) {
    List<Ask> asks =
        IntStream.rangeClosed(1, WORKSPACES)
            .mapToObj(n -> new Ask("w" + n, each, lookAhead))
            .toList();
    return admit.claim(asks).stream().map(Given::claims).flatMap(List::stream).toList();
  }

  private void wait(String partitionKey) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, partition_key) select gen_random_uuid(), 'w' || (1 + n %"
            + " ?), 'd', 1, 'PENDING', 5, '{}', "
            + partitionKey
            + " from generate_series(1, ?) n",
        WORKSPACES,
        WAITING);
  }
}
