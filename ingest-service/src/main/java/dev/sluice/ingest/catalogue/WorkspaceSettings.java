package dev.sluice.ingest.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * What somebody wants of a workspace.
 *
 * @param limit absent: its plan's
 * @param burst how many starts at once after a quiet time; absent: one second's worth
 * @param backlogLimit how many may wait; absent: as the setting says
 */
public record WorkspaceSettings(
    String plan,
    @Nullable Integer limit,
    @Nullable Double startsPerSecond,
    @Nullable Integer burst,
    @Nullable Integer backlogLimit) {}
