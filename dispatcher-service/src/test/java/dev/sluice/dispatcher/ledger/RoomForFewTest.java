package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.EnterLedger.Stored;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** By the function for a few. */
class RoomForFewTest extends RoomContract {
  @Override
  Stored enter(UUID claimer, List<NewItem> items, Map<String, Integer> coming) {
    return new EnterLedger(jdbc, claimer).enter(items, coming);
  }
}
