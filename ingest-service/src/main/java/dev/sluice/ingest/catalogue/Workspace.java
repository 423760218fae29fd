package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tenant, and how it stands.
 *
 * @param limit its own where it has one, else its plan's
 * @param held slots in use
 * @param waitingFor how many of those that wait wait for what
 * @param oldestWaitingSince of what could start if there were room; work that is to start later,
 *     backs off or belongs to a paused definition does not count
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Workspace(
    String id,
    String plan,
    int limit,
    long held,
    long waiting,
    boolean paused,
    @Nullable Instant pausedUntil,
    @Nullable String pauseReason,
    @Nullable Instant oldestWaitingSince,
    @Nullable Double startsPerSecond,
    @Nullable Integer burst,
    @Nullable Integer backlogLimit,
    Map<String, Long> waitingFor) {}
