package dev.sluice.dispatcher.start;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How workflows are started.
 *
 * @param concurrency calls to Temporal at the same time, at most
 * @param concurrencyWhenSlow the same while each takes long, because Temporal is far away or waits
 *     for its disk: then more of them at a time are more in a second; never fewer than the other
 * @param maxClaimed items claimed and not settled, at most: what a crash leaves to take over, and
 *     what is held in memory; up to four times as many while that many go within a second
 * @param maxClaimedPerWorkspace of these, for one workspace; grows with them
 * @param callTimeout after which the outcome of a call is unknown
 * @param confirmAfter a claim older than this is confirmed in the database before its workflow is
 *     asked for, so that a process that was frozen starts nothing it lost meanwhile
 * @param firstPause of the pauses between tries while Temporal is away; each is twice the one
 *     before
 * @param longestPause the last of them
 * @param firstBackoff before an item that Temporal refused is tried again; doubled each time
 * @param longestBackoff the last of them
 */
@ConfigurationProperties("sluice.start")
public record StartSettings(
    @DefaultValue("32") int concurrency,
    @DefaultValue("64") int concurrencyWhenSlow,
    @DefaultValue("512") int maxClaimed,
    @DefaultValue("64") int maxClaimedPerWorkspace,
    @DefaultValue("10s") Duration callTimeout,
    @DefaultValue("5s") Duration confirmAfter,
    @DefaultValue("200ms") Duration firstPause,
    @DefaultValue("5s") Duration longestPause,
    @DefaultValue("1s") Duration firstBackoff,
    @DefaultValue("1m") Duration longestBackoff) {

  public StartSettings {
    Check.atLeast("sluice.start.concurrency", concurrency, 1, "32");
    Check.atLeast("sluice.start.concurrency-when-slow", concurrencyWhenSlow, 1, "64");
    Check.atLeast("sluice.start.max-claimed", maxClaimed, 1, "512");
    Check.atLeast("sluice.start.max-claimed-per-workspace", maxClaimedPerWorkspace, 1, "64");
    Check.positive("sluice.start.call-timeout", callTimeout, "10s");
    Check.positive("sluice.start.confirm-after", confirmAfter, "5s");
    Check.positive("sluice.start.first-pause", firstPause, "200ms");
    Check.positive("sluice.start.longest-pause", longestPause, "5s");
    Check.positive("sluice.start.first-backoff", firstBackoff, "1s");
    Check.positive("sluice.start.longest-backoff", longestBackoff, "1m");
  }
}
