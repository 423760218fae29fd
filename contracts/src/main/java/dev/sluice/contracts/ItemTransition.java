package dev.sluice.contracts;

import static dev.sluice.contracts.ItemState.CANCELLED;
import static dev.sluice.contracts.ItemState.CLAIMED;
import static dev.sluice.contracts.ItemState.DISPATCHED;
import static dev.sluice.contracts.ItemState.EXPIRED;
import static dev.sluice.contracts.ItemState.FAILED;
import static dev.sluice.contracts.ItemState.PENDING;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of a request: every way a queue row may change. What is not here must not happen;
 * the schema's trigger repeats the table, and the README's diagram is made from it.
 */
public enum ItemTransition {
  ACCEPT(null, PENDING, "intake: the request is a row"),
  REFUSE(null, FAILED, "intake: unknown workspace, definition or version"),
  CLAIM(PENDING, CLAIMED, "admit: a slot is free"),
  TAKE_OVER(CLAIMED, CLAIMED, "takeover or redrive: new owner, new claim token"),
  START(CLAIMED, DISPATCHED, "settle: Temporal has the workflow"),
  RELEASE(CLAIMED, PENDING, "settle: not submitted, or rejected with attempts left"),
  REJECT(CLAIMED, FAILED, "settle: rejected, attempts used up"),
  VANISH(PENDING, FAILED, "admit: workspace or definition was deleted"),
  CANCEL(PENDING, CANCELLED, "cancel before the start"),
  EXPIRE(PENDING, EXPIRED, "expiresAt passed"),
  WAKE(PENDING, PENDING, "due, parked or unparked: stays in the queue"),
  RETRY(FAILED, PENDING, "retry by hand: same id, nothing was started");

  private final @Nullable ItemState from;
  private final ItemState to;
  private final String when;

  ItemTransition(@Nullable ItemState from, ItemState to, String when) {
    this.from = from;
    this.to = to;
    this.when = when;
  }

  /** Empty for the two ways a row comes to be. */
  public Optional<ItemState> from() {
    return Optional.ofNullable(from);
  }

  public ItemState to() {
    return to;
  }

  public String when() {
    return when;
  }

  public static boolean isLegal(ItemState from, ItemState to) {
    return Arrays.stream(values()).anyMatch(t -> t.from == from && t.to == to);
  }

  /** The table as a Mermaid state diagram, as the README shows it. */
  public static String mermaid() {
    List<String> lines =
        Arrays.stream(values())
            .map(
                t ->
                    "    %s --> %s: %s"
                        .formatted(
                            t.from == null ? "[*]" : t.from,
                            t.to,
                            t.name().toLowerCase(Locale.ROOT)))
            .toList();
    return "stateDiagram-v2\n" + String.join("\n", lines) + "\n";
  }
}
