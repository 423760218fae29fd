package dev.sluice.chaos.judge;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workflow, as Temporal's history has it.
 *
 * @param closed when; null while it is open
 */
public record Run(String workflowId, String runId, Instant started, @Nullable Instant closed) {}
