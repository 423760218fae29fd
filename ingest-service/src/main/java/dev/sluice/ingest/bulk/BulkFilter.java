package dev.sluice.ingest.bulk;

import dev.sluice.contracts.ItemState;
import java.time.Instant;
import java.util.Optional;

/**
 * Which executions of a workspace are meant; what is absent does not narrow it.
 *
 * @param after where the last call ended, by sequence number
 */
public record BulkFilter(
    String workspaceId,
    Optional<ItemState> status,
    Optional<String> definitionId,
    Optional<String> partitionKey,
    Optional<Instant> acceptedBefore,
    Optional<Instant> acceptedAfter,
    Optional<Long> after) {}
