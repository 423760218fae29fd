package dev.sluice.dispatcher.simulator;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request that was acknowledged to its producer. */
final class Item {
  final UUID id;
  final String workspaceId;
  final String definitionId;
  final int priority;
  final @Nullable String partitionKey;
  final boolean delayed;
  final boolean expires;

  /** How many times Temporal refuses what it is asked for, before it takes it. */
  int refusals;

  boolean cancelAsked;
  boolean retriedByHand;

  Item(
      UUID id,
      String workspaceId,
      String definitionId,
      int priority,
      @Nullable String partitionKey,
      boolean delayed,
      boolean expires,
      int refusals) {
    this.id = id;
    this.workspaceId = workspaceId;
    this.definitionId = definitionId;
    this.priority = priority;
    this.partitionKey = partitionKey;
    this.delayed = delayed;
    this.expires = expires;
    this.refusals = refusals;
  }

  /** Nothing but capacity keeps it from starting in its turn. */
  boolean isPlain() {
    return partitionKey == null
        && !delayed
        && !expires
        && refusals == 0
        && !retriedByHand
        && definitionId.equals(World.JOB);
  }

  @Override
  public String toString() {
    return id.toString().substring(0, 4);
  }
}
