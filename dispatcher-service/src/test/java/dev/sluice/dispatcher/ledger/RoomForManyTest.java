package dev.sluice.dispatcher.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.EnterLedger.Stored;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** By the function for hundreds. */
class RoomForManyTest extends RoomContract {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Override
  Stored enter(UUID claimer, List<NewItem> items, Map<String, Integer> coming) {
    return new EnterManyLedger(jdbc, claimer).enter(items, coming);
  }

  @Test
  void itHandsOutTheSameClaimsAsTheFunctionForAFew() {
    var few = new EnterLedger(jdbc, UUID.randomUUID());
    jdbc.update(
        "update workflow_definition set max_attempts = 7, first_backoff_ms = 20, longest_backoff_ms"
            + " = 300");
    NewItem item = item("w", 3);
    Claim byFew = few.enter(List.of(item), Map.of("w", 1)).claims().getFirst();
    jdbc.update("truncate workflow_execution_queue, workflow_execution");
    Claim byMany = enter(UUID.randomUUID(), List.of(item), Map.of("w", 1)).claims().getFirst();
    assertThat(byMany)
        .usingRecursiveComparison()
        .ignoringFields("token", "acceptedAt")
        .isEqualTo(byFew);
    assertThat(row(byMany.id()))
        .isEqualTo(Map.of("state", "CLAIMED", "claim_token", byMany.token()));
    assertThat(byMany.acceptedAt()).isAfterOrEqualTo(byFew.acceptedAt());
  }

  @Test
  void eachWorkspaceHasItsOwnRoom() {
    workspace("full", "FREE");
    workspace("other", "ENTERPRISE");
    assertThat(enter(UUID.randomUUID(), List.of(item("full", 5)), Map.of("full", 1)).claims())
        .hasSize(1);
    var items = new ArrayList<NewItem>();
    for (int n = 0; n < 5; n++) {
      items.add(item("other", 9 - n));
      items.add(item("full", 5));
      items.add(item("w", 5));
      items.add(item("nobody", 5));
    }
    Stored stored =
        enter(UUID.randomUUID(), items, Map.of("w", 5, "full", 5, "nobody", 5, "other", 5));
    assertThat(stored.rooms())
        .isEqualTo(Map.of("w", new Room(5, 0, 2), "other", new Room(20, 0, 4)));
    assertThat(stored.claims())
        .hasSize(10)
        .extracting(Claim::priority)
        .as("first in the order of starting")
        .isSorted();
    assertThat(stored.claims().stream().filter(claim -> claim.workspaceId().equals("w")))
        .extracting(Claim::id)
        .containsExactlyElementsOf(
            items.stream()
                .filter(item -> item.request().workspaceId().equals("w"))
                .map(NewItem::id)
                .toList());
    assertThat(stored.accepted()).hasSize(10);
  }

  private Map<String, Object> row(UUID id) {
    return jdbc.queryForMap(
        "select state, claim_token from workflow_execution_queue where id = ?", id);
  }

  private static NewItem item(String workspace, int priority) {
    return new NewItem(
        UUID.randomUUID(),
        new ExecutionRequest(
            workspace,
            "d",
            "{\"n\": [1, 2]}",
            "key",
            priority,
            null,
            null,
            Duration.ofSeconds(90),
            null,
            List.of(),
            "parent"),
        TRACE);
  }
}
