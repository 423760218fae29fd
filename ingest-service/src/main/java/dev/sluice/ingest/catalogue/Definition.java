package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an execution runs: a workflow type on a task queue, or a graph.
 *
 * @param graph as JSON, to be written out as it is
 * @param limit of its own executions open at once, within the workspace's
 * @param backoff absent: as the dispatcher's settings say
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Definition(
    String id,
    String workspaceId,
    int version,
    @Nullable String workflowType,
    @Nullable String taskQueue,
    @Nullable Object graph,
    int maxAttempts,
    @Nullable Integer limit,
    Collision collision,
    @Nullable Backoff backoff,
    boolean paused,
    @Nullable Instant pausedUntil,
    @Nullable String pauseReason) {}
