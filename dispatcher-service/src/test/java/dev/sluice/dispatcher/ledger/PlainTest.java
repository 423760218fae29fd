package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Requests that only have to wait, by the short statement, and what that leaves to the large one.
 */
@Tag("Q5")
class PlainTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final JdbcTemplate jdbc = LedgerDatabase.fresh("plain");
  private final IntakeLedger ledger = new IntakeLedger(jdbc);
  private final List<Accepted> accepted = new ArrayList<>();

  @BeforeEach
  void twoWorkspaces() {
    jdbc.update("insert into workspace (id, plan_id) values ('v', 'PRO'), ('w', 'PRO')");
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) values ('v', 'd', 1),"
            + " ('w', 'd', 1)");
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values ('v', 'd', 1, 'Report', 'reports'), ('w', 'd', 1,"
            + " 'Report', 'reports')");
  }

  @Test
  void theRowIsTheOneThatTheLargeStatementMakes() {
    var request =
        new ExecutionRequest(
            "w",
            "d",
            "{\"a\": 1.10}",
            "key",
            3,
            null,
            null,
            Duration.ofMinutes(2),
            null,
            List.of(),
            "p");
    ledger.accept(List.of(new NewItem(UUID.randomUUID(), request, TRACE)), Set.of(), accepted);
    accepted.addAll(
        ledger.storeAny(List.of(new NewItem(UUID.randomUUID(), request, TRACE)), Set.of()));

    List<Map<String, Object>> rows =
        jdbc.queryForList(
            "select *, input::text as input from workflow_execution_queue order by seq");
    rows.forEach(row -> List.of("id", "seq", "accepted_at").forEach(row::remove));
    assertThat(rows).hasSize(2);
    assertThat(rows.getFirst()).isEqualTo(rows.getLast()).containsEntry("state", "PENDING");
    assertThat(accepted)
        .extracting(a -> Accepted.waiting(new UUID(0, 0), a.workspaceId(), a.definitionId()))
        .containsExactly(
            Accepted.waiting(new UUID(0, 0), "w", "d"), Accepted.waiting(new UUID(0, 0), "w", "d"));
  }

  @Test
  @Tag("Q7")
  void aWorkspacesRequestsAreRowsInTheOrderInWhichTheyCame() {
    var items =
        List.of(to("w", "d", null), to("v", "d", null), to("w", "d", "key"), to("v", "d", null));
    ledger.accept(items, Set.of(), accepted);

    assertThat(accepted).hasSize(4);
    assertThat(inOrder("w")).containsExactly(items.get(0).id(), items.get(2).id());
    assertThat(inOrder("v")).containsExactly(items.get(1).id(), items.get(3).id());
  }

  @Test
  void whoWasHereBeforeOrComesTwiceIsOneRow() {
    NewItem item = to("w", "d", null);
    ledger.accept(List.of(item, item), Set.of(), accepted);
    ledger.accept(List.of(item), Set.of(), accepted);

    assertThat(accepted).extracting(Accepted::id).containsExactly(item.id());
    assertThat(inOrder("w")).containsExactly(item.id());
  }

  @Test
  void whoCannotWaitFailsAndStopsNobody() {
    NewItem fine = to("w", "d", null);
    NewItem unknown = to("w", "no such", null);
    NewItem over = to("v", "d", null);
    ledger.accept(List.of(unknown, fine, over), Set.of(over.id()), accepted);

    assertThat(accepted)
        .extracting(Accepted::id, Accepted::failureCode)
        .containsExactlyInAnyOrder(
            tuple(fine.id(), null),
            tuple(unknown.id(), "UNKNOWN_DEFINITION"),
            tuple(over.id(), "BACKLOG_FULL"));
  }

  /** Or nobody would look at it before the next sweep: when it comes again it is no news. */
  @Test
  void whatIsStoredIsToldThoughTheRestIsRefused() {
    NewItem fine = to("v", "d", null);
    NewItem refused = to("w", "d", "no \0 in PostgreSQL");

    assertThatThrownBy(() -> ledger.accept(List.of(refused, fine), Set.of(), accepted))
        .isInstanceOf(DataIntegrityViolationException.class);

    assertThat(accepted).extracting(Accepted::id).containsExactly(fine.id());
  }

  private static NewItem to(String workspace, String definition, @Nullable String key) {
    return new NewItem(
        UUID.randomUUID(),
        new ExecutionRequest(
            workspace, definition, "{}", null, 5, null, null, null, key, List.of(), null),
        null);
  }

  private List<UUID> inOrder(String workspace) {
    return jdbc.queryForList(
        "select id from workflow_execution_queue where workspace_id = ? order by seq",
        UUID.class,
        workspace);
  }
}
