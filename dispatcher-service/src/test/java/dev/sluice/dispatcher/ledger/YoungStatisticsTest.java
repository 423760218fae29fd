package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.util.List;
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

  private final SingleConnectionDataSource connection = connection();
  private final JdbcTemplate jdbc = new JdbcTemplate(connection);
  private final AdmitLedger admit = new AdmitLedger(jdbc, UUID.randomUUID(), Duration.ZERO);
  private final SettleLedger settle = new SettleLedger(jdbc);

  private static SingleConnectionDataSource connection() {
    TestStack stack = TestStack.shared();
    String url = stack.freshDatabase("young");
    var source =
        new SingleConnectionDataSource(
            url + (url.contains("?") ? "&" : "?") + "prepareThreshold=1",
            stack.postgres().user(),
            stack.postgres().password(),
            true);
    Schema.migrate(source);
    return source;
  }

  @BeforeEach
  void planWhileNothingWaits() {
    jdbc.execute("set plan_cache_mode = force_generic_plan");
    jdbc.execute("set enable_seqscan = off");
    jdbc.execute("set random_page_cost = 1.1");
    jdbc.execute("set jit = off");
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
