package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import dev.sluice.dispatcher.ledger.IntakeLedger.Stored;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** By the statement that stores a batch of any size. */
class RoomTest extends RoomContract {
  @Override
  Stored accept(UUID claimer, List<NewItem> items, Map<String, Integer> coming) {
    return new IntakeLedger(jdbc, claimer).accept(items, Set.of(), coming);
  }
}
