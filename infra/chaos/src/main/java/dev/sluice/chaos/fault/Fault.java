package dev.sluice.chaos.fault;

import java.time.Instant;
import java.util.Set;

/**
 * A fault that was done.
 *
 * @param from when it struck
 * @param until when everything answered again
 * @param orphaned the workspaces whose dispatcher was killed, where nothing else was broken
 */
public record Fault(
    FaultKind kind, String detail, Instant from, Instant until, Set<String> orphaned) {}
