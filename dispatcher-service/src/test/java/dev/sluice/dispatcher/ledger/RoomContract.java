package dev.sluice.dispatcher.ledger;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.EnterLedger.Stored;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which requests have their slots with their rows, whichever statement gives them. */
@Tag("Q5")
@Tag("Q7")
abstract class RoomContract {
  protected final JdbcTemplate jdbc = LedgerDatabase.fresh("room");
  private final UUID ledger = UUID.randomUUID();
  private final UUID another = UUID.randomUUID();

  /** Which of so many have their slots, of all that a batch brings for their workspaces. */
  abstract Stored enter(UUID claimer, List<NewItem> items, Map<String, Integer> coming);

  /** Who gets nothing is stored as one who waits. */
  private Stored accept(UUID claimer, List<NewItem> items, Map<String, Integer> coming) {
    Stored stored = enter(claimer, items, coming);
    List<NewItem> rest = IntakeLedger.without(stored.accepted(), items);
    if (!rest.isEmpty()) {
      new IntakeLedger(jdbc).accept(rest, Set.of(), stored.accepted());
    }
    return stored;
  }

  @BeforeEach
  void aWorkspaceWithFiveSlots() {
    workspace("w", "PRO");
  }

  protected void workspace(String id, String plan) {
    jdbc.update("insert into workspace (id, plan_id) values (?, ?)", id, plan);
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version) values (?, 'd', 1)",
        id);
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values (?, 'd', 1, 'Report', 'reports')",
        id);
  }

  @Test
  void whereThereIsRoomForAllTheyAreClaimedInOrder() {
    List<NewItem> items = items(5);
    Stored stored = accept(ledger, items);
    assertThat(stored.claims())
        .extracting(Claim::id)
        .containsExactlyElementsOf(items.stream().map(NewItem::id).toList());
    assertThat(stored.rooms()).isEqualTo(Map.of("w", new Room(5, 0, 2)));
    assertThat(states()).containsOnly("CLAIMED");
    assertThat(held()).isEqualTo(5);
  }

  @Test
  void whereThereIsNoRoomForAllNoneIsClaimed() {
    assertThat(accept(ledger, items(6)).claims()).isEmpty();
    assertThat(states()).hasSize(6).containsOnly("PENDING");
    assertThat(held()).isZero();
  }

  @Test
  void whoComesAgainGetsNothing() {
    List<NewItem> items = items(2);
    assertThat(accept(ledger, items).claims()).hasSize(2);
    assertThat(accept(ledger, items).accepted()).isEmpty();
    assertThat(held()).isEqualTo(2);
  }

  @Test
  void whoComesTwiceInABatchGetsOneSlot() {
    NewItem item = items(1).getFirst();
    Stored stored = accept(ledger, List.of(item, item));
    assertThat(stored.claims()).extracting(Claim::id).containsExactly(item.id());
    assertThat(stored.accepted()).hasSize(1);
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void ofTwoWithOneIdTheFirstIsStartedThoughTheSecondIsMoreUrgent() {
    var id = UUID.randomUUID();
    var first = new NewItem(id, request("w", 5, "1"), null);
    var second = new NewItem(id, request("w", 0, "2"), null);
    assertThat(accept(ledger, List.of(first, second)).claims())
        .singleElement()
        .satisfies(claim -> assertThat(claim.input()).isEqualTo("1"))
        .satisfies(claim -> assertThat(claim.priority()).isEqualTo(5));
    assertThat(jdbc.queryForList("select input::text from workflow_execution_queue", String.class))
        .containsExactly("1");
  }

  @Test
  void nobodyPassesWhoWaits() {
    jdbc.update("update workspace set paused_at = now()");
    assertThat(accept(ledger, items(1)).claims()).isEmpty();
    jdbc.update("update workspace set paused_at = null");
    assertThat(accept(ledger, items(1)).claims()).isEmpty();
    assertThat(states()).containsExactly("PENDING", "PENDING");
  }

  @Test
  void nobodyPassesWhatAnotherDispatcherHasNotStartedYet() {
    assertThat(accept(another, items(1)).claims()).hasSize(1);
    assertThat(accept(ledger, items(1)).claims()).isEmpty();
    assertThat(accept(another, items(1)).claims()).isEmpty(); // since one waits by now
  }

  @Test
  void whatHasMoreToItThanTheWorkspacesLimitIsLeftToAdmission() {
    for (String restraint :
        List.of(
            "update workflow_definition set concurrency_limit = 3",
            "update workflow_definition set concurrency_limit = null, paused_at = now()",
            "update workflow_definition set paused_at = null; update maintenance set mode ="
                + " 'drain'",
            "update maintenance set mode = 'normal'; update workspace set starts_per_second = 1",
            "update workspace set starts_per_second = null; insert into system_limit"
                + " (concurrency_limit) values (10) on conflict (only_row) do update set"
                + " concurrency_limit = 10")) {
      jdbc.execute(restraint);
      assertThat(accept(ledger, items(1)).claims()).as(restraint).isEmpty();
      jdbc.update("delete from workflow_execution_queue");
    }
    jdbc.update("update system_limit set concurrency_limit = null");
    assertThat(accept(ledger, items(1)).claims()).hasSize(1);
  }

  @Test
  void aFailedRequestHoldsNothing() {
    var unknown = new NewItem(UUID.randomUUID(), request("nobody"), null);
    Stored stored = accept(ledger, List.of(unknown), Map.of("w", 1, "nobody", 1));
    assertThat(stored.claims()).isEmpty();
    assertThat(states()).containsExactly("FAILED");
    assertThat(held()).isZero();
  }

  /** What is counted is counted after the lock was granted, whenever the statement began. */
  @Test
  void twoThatClaimAtOnceDoNotGiveAwayTheSameSlots() {
    var transaction =
        new TransactionTemplate(new JdbcTransactionManager(requireNonNull(jdbc.getDataSource())));
    CompletableFuture<Stored> second =
        transaction.execute(
            status -> {
              assertThat(accept(ledger, items(3)).claims()).hasSize(3);
              var waiting = CompletableFuture.supplyAsync(() -> accept(ledger, items(3)));
              await().until(this::somebodyWaitsForALock);
              return waiting;
            });
    assertThat(second.join().claims()).isEmpty();
    assertThat(held()).isEqualTo(3);
  }

  private boolean somebodyWaitsForALock() {
    return Boolean.TRUE.equals(
        jdbc.queryForObject(
            "select exists (select from pg_stat_activity where datname = current_database() and"
                + " wait_event_type = 'Lock')",
            Boolean.class));
  }

  private Stored accept(UUID claimer, List<NewItem> items) {
    return accept(claimer, items, Map.of("w", items.size()));
  }

  private static List<NewItem> items(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> new NewItem(UUID.randomUUID(), request("w"), null))
        .toList();
  }

  private static ExecutionRequest request(String workspace) {
    return request(workspace, 5, "{}");
  }

  private static ExecutionRequest request(String workspace, int priority, String input) {
    return new ExecutionRequest(
        workspace, "d", input, null, priority, null, null, null, null, List.of(), null);
  }

  private List<String> states() {
    return jdbc.queryForList(
        "select state from workflow_execution_queue order by seq", String.class);
  }

  private int held() {
    return requireNonNull(
        jdbc.queryForObject(
            "select count(*) from workflow_execution where status = 'RUNNING'", Integer.class));
  }
}
