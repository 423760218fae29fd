package dev.sluice.ingest.catalogue;

import java.time.Duration;

/**
 * How long an item that Temporal refused waits before it is tried again.
 *
 * @param first doubled each time
 * @param longest the last of them
 */
public record Backoff(Duration first, Duration longest) {}
