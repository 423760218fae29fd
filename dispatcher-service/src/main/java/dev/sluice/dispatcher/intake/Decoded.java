package dev.sluice.dispatcher.intake;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;

/** What a record of the requests topic turned out to be. */
sealed interface Decoded {
  record Enqueue(NewItem item) implements Decoded {}

  record Cancel(CancelRequest request) implements Decoded {}

  record Unreadable(DeadLetterReason reason, String detail) implements Decoded {}
}
