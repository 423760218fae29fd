package dev.sluice.ingest.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * A definition as somebody wants it: either type and queue, or the graph.
 *
 * @param graph as JSON text
 */
public record DefinitionDraft(
    @Nullable String workflowType,
    @Nullable String taskQueue,
    @Nullable String graph,
    DefinitionSettings settings) {}
