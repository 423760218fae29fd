package dev.sluice.ingest.status;

import dev.sluice.contracts.ItemState;
import java.util.Optional;

/**
 * Which executions are wanted.
 *
 * @param before only what was accepted before the item with this sequence number
 */
public record ListFilter(
    String workspaceId,
    Optional<ItemState> status,
    Optional<String> definitionId,
    Optional<Long> before) {}
