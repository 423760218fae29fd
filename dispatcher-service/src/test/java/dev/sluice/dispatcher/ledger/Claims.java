package dev.sluice.dispatcher.ledger;

import java.time.Instant;
import java.util.UUID;

/** Claims for tests. */
public final class Claims {
  private Claims() {}

  public static Claim claim(String workspaceId) {
    return claim(UUID.randomUUID(), workspaceId, 2, false);
  }

  public static Claim withWeight(String workspaceId, int weight) {
    var rules = new Claim.Rules(3, null, null, weight);
    return claim(UUID.randomUUID(), workspaceId, 2, false, 0, rules);
  }

  /** The same item, claimed again by its new owner. */
  public static Claim takenOver(Claim before) {
    return claim(before.id(), before.workspaceId(), before.revision() + 1, true);
  }

  public static Claim withAttempts(int attempts, int maxAttempts) {
    return withRules(attempts, new Claim.Rules(maxAttempts, null, null, 1));
  }

  public static Claim withRules(int attempts, Claim.Rules rules) {
    return claim(UUID.randomUUID(), "ws", 2, false, attempts, rules);
  }

  private static Claim claim(UUID id, String workspaceId, int revision, boolean takenOver) {
    return claim(id, workspaceId, revision, takenOver, 0, new Claim.Rules(3, null, null, 1));
  }

  private static Claim claim(
      UUID id,
      String workspaceId,
      int revision,
      boolean takenOver,
      int attempts,
      Claim.Rules rules) {
    return new Claim(
        id,
        UUID.randomUUID(),
        workspaceId,
        "job",
        1,
        "{}",
        5,
        null,
        null,
        attempts,
        rules,
        Instant.EPOCH,
        revision,
        takenOver,
        false);
  }
}
