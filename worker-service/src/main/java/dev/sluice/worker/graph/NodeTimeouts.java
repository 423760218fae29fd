package dev.sluice.worker.graph;

import java.time.Duration;

/**
 * For nodes that run as activities.
 *
 * @param node one try of a node that names no timeout of its own
 * @param heartbeat after which a worker that is silent counts as dead
 */
public record NodeTimeouts(Duration node, Duration heartbeat) {}
