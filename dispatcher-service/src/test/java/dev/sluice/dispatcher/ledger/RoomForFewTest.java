package dev.sluice.dispatcher.ledger;

import static java.util.stream.Collectors.toSet;

import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.IntakeLedger.Stored;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** By the function for a few; who gets nothing there is stored as one who waits. */
class RoomForFewTest extends RoomContract {
  @Override
  Stored accept(UUID claimer, List<NewItem> items, Map<String, Integer> coming) {
    Stored stored = new EnterLedger(jdbc, claimer).enter(items, coming);
    Set<UUID> entered = stored.accepted().stream().map(Accepted::id).collect(toSet());
    List<NewItem> rest = items.stream().filter(item -> !entered.contains(item.id())).toList();
    if (!rest.isEmpty()) {
      new IntakeLedger(jdbc, claimer).accept(rest, Set.of(), stored.accepted());
    }
    return stored;
  }
}
