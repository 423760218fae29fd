package dev.sluice.contracts;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Data of {@link EventTypes#CANCEL_REQUESTED}.
 *
 * @param terminateAfter a workflow that is still open so long after it was asked to stop is
 *     terminated; absent: it is only asked
 */
public record CancelRequest(
    String workspaceId, UUID id, @Nullable String reason, @Nullable Duration terminateAfter) {}
