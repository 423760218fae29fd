package dev.sluice.dispatcher.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An item that holds a slot and is to be started, as the ledger handed it out.
 *
 * @param token every later write names it; who lost it changes nothing any more
 * @param revision of two claims of the same item, the one with the higher revision counts
 * @param takenOver another dispatcher held it before and may have asked Temporal for it
 * @param lookFirst the claim may be old: ask Temporal for the workflow before starting it
 */
public record Claim(
    UUID id,
    UUID token,
    String workspaceId,
    String definitionId,
    int version,
    String input,
    int priority,
    @Nullable Duration deadline,
    @Nullable String traceparent,
    int attempts,
    Rules rules,
    Instant acceptedAt,
    int revision,
    boolean takenOver,
    boolean lookFirst) {

  /**
   * What its plan and its definition say.
   *
   * @param firstBackoff null for the dispatcher's own setting, as for the longest
   * @param weight of its workspace where starts are scarce
   */
  public record Rules(
      int maxAttempts,
      @Nullable Duration firstBackoff,
      @Nullable Duration longestBackoff,
      int weight) {}

  public int maxAttempts() {
    return rules.maxAttempts();
  }

  /** The workflow's own spans are told below the span of its start. */
  public Claim under(@Nullable String span) {
    return new Claim(
        id,
        token,
        workspaceId,
        definitionId,
        version,
        input,
        priority,
        deadline,
        span,
        attempts,
        rules,
        acceptedAt,
        revision,
        takenOver,
        lookFirst);
  }
}
