package dev.sluice.ingest.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * What can change without another version.
 *
 * @param limit of its own executions open at once, within the workspace's
 * @param backoff absent: as the dispatcher's settings say
 */
public record DefinitionSettings(
    int maxAttempts, @Nullable Integer limit, Collision collision, @Nullable Backoff backoff) {
  public static final int DEFAULT_ATTEMPTS = 3;
}
