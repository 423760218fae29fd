package dev.sluice.dispatcher.ledger;

import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import dev.sluice.dispatcher.ledger.SettleLedger.Started;
import dev.sluice.schema.Database;
import dev.sluice.schema.Schema;
import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The figures in docs/decisions/flow.md: {@code mvn -pl dispatcher-service -am test
 * -Dtest=AdmissionMeasurement -Dmeasure=true}.
 */
@EnabledIfSystemProperty(named = "measure", matches = "true")
class AdmissionMeasurement {
  private static final int WORKSPACES = 200;
  private static final int ROUNDS = 50;
  private static final int CYCLES = 400;

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final WorkspaceLock lock;
  private final AdmitLedger admit;
  private final SettleLedger settle;
  private final FinishLedger finish;

  AdmissionMeasurement() {
    TestStack stack = TestStack.shared();
    String url = stack.freshDatabase("measure");
    DataSource pool =
        Database.pool("measure", url, stack.postgres().user(), stack.postgres().password(), 2);
    Schema.migrate(pool);
    jdbc = new JdbcTemplate(pool);
    transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
    lock = new WorkspaceLock(jdbc);
    admit = new AdmitLedger(jdbc, UUID.randomUUID(), Duration.ZERO);
    settle = new SettleLedger(jdbc);
    finish = new FinishLedger(jdbc);
  }

  /** What one claim costs where many workspaces have room, with no feature in use. */
  @Test
  void manyWorkspaces() {
    List<Ask> asks = new ArrayList<>();
    for (int w = 0; w < WORKSPACES; w++) {
      workspace("w" + w, 1_000_000);
      asks.add(new Ask("w" + w, 5, 0));
      rows("w" + w, 5 * ROUNDS, "null");
    }
    jdbc.execute("vacuum analyze");
    var perClaim = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long began = System.nanoTime();
      List<Given> given = claim(asks);
      long took = System.nanoTime() - began;
      List<Claim> claims = given.stream().flatMap(g -> g.claims().stream()).toList();
      perClaim[round] = took / 1000.0 / claims.size();
      closeAll(claims);
    }
    say("%d workspaces, 5 claims each: %.1f µs a claim (median)", WORKSPACES, median(perClaim));
  }

  /** How long from a close to the next claim, whatever waits in the same workspace. */
  @Test
  void aFreedSlot() {
    reuse("100 rows, 100 keys", "few", 100 + CYCLES, "'k' || n % 100");
    reuse("100,000 rows, 1,000 keys", "many", 100_000, "'k' || n % 1000");
    reuse(
        "10,000 of one hot key first, then 1,000 of others",
        "hot",
        11_000,
        "case when n <= 10000 then 'hot' else 'k' || n end");
  }

  private void reuse(String what, String ws, int rows, String key) {
    workspace(ws, 20);
    rows(ws, rows, key);
    jdbc.execute("vacuum analyze");
    var held = new ArrayList<Claim>();
    long began = System.nanoTime();
    int lookAhead = 0;
    while (held.size() < 20) {
      Given given = claim(List.of(new Ask(ws, 20, lookAhead))).getFirst();
      held.addAll(given.claims());
      dispatched(given.claims());
      lookAhead = Math.min(4096, Math.max(64, lookAhead * 4));
    }
    say("%s: all 20 slots given after %.0f ms", what, (System.nanoTime() - began) / 1e6);
    var cycles = new double[CYCLES];
    for (int i = 0; i < CYCLES; i++) {
      Claim closing = held.removeFirst();
      long start = System.nanoTime();
      List<Claim> next = closeAndClaim(closing);
      cycles[i] = (System.nanoTime() - start) / 1e6;
      held.addAll(next);
      dispatched(next);
    }
    say("%s: close to next claim %.2f ms (median)", what, median(cycles));
  }

  /** As the pipeline does it: the close and the admission in one transaction. */
  private List<Claim> closeAndClaim(Claim closing) {
    String ws = closing.workspaceId();
    var claims = new ArrayList<Claim>();
    int lookAhead = 0;
    boolean first = true;
    while (claims.isEmpty()) {
      boolean closes = first;
      int ahead = lookAhead;
      Given given =
          transaction.execute(
              status -> {
                lock.lock(List.of(ws));
                if (closes) {
                  finish.unpark(finish.close(List.of(close(closing))));
                }
                return admit.claim(List.of(new Ask(ws, 20, ahead))).getFirst();
              });
      claims.addAll(given.claims());
      first = false;
      lookAhead = Math.min(4096, Math.max(64, lookAhead * 4));
    }
    return claims;
  }

  private List<Given> claim(List<Ask> asks) {
    return transaction.execute(
        status -> {
          lock.lock(asks.stream().map(Ask::workspaceId).toList());
          return admit.claim(asks);
        });
  }

  private void dispatched(List<Claim> claims) {
    settle.dispatched(claims.stream().map(c -> new Started(c.id(), c.token(), "run")).toList());
  }

  private void closeAll(List<Claim> claims) {
    dispatched(claims);
    finish.close(claims.stream().map(AdmissionMeasurement::close).toList());
  }

  private static Close close(Claim claim) {
    return new Close(claim.id(), claim.workspaceId(), WorkflowStatus.COMPLETED, null, null, "run");
  }

  private void workspace(String id, int limit) {
    jdbc.update(
        "insert into workspace (id, plan_id, concurrency_limit) values (?, 'PRO', ?)", id, limit);
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) values (?, 'd', 1)",
        id);
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values (?, 'd', 1, 'T', 'q')",
        id);
  }

  private void rows(String ws, int rows, String key) {
    jdbc.update(
        "insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version,"
            + " state, priority, input, partition_key) select gen_random_uuid(), ?, 'd', 1,"
            + " 'PENDING', 5, '{}', "
            + key
            + " from generate_series(1, ?) n order by n",
        ws,
        rows);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void say(String line, Object... values) {
    System.out.println("MEASURED " + String.format(Locale.ROOT, line, values));
  }
}
