package dev.sluice.ingest.status;

import dev.sluice.ingest.Settings;
import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long a look-up waits, and for what.
 *
 * @param appearance how long a GET waits for the row of an id it does not know
 * @param youth how long after it was minted an id without a row counts as accepted
 * @param recheck how often the database is asked for all waiting ids together, for the event that
 *     should have woken them may be late
 * @param idle how long after the last waiter events are still followed
 * @param mostWaiters GETs that may wait at once before more get 503; 0 for three quarters of the
 *     requests that fit into a quarter of the heap, so that others still get in
 */
@ConfigurationProperties("sluice.status")
public record StatusSettings(
    @DefaultValue("2s") Duration appearance,
    @DefaultValue("60s") Duration youth,
    @DefaultValue("250ms") Duration recheck,
    @DefaultValue("30s") Duration idle,
    @DefaultValue("0") int mostWaiters) {
  public StatusSettings {
    Check.within(
        "sluice.status.appearance", appearance, Duration.ZERO, Duration.ofMinutes(1), "2s");
    Check.within("sluice.status.youth", youth, Duration.ofSeconds(1), Duration.ofHours(1), "60s");
    Check.within(
        "sluice.status.recheck", recheck, Duration.ofMillis(10), Duration.ofMinutes(1), "250ms");
    Check.within("sluice.status.most-waiters", mostWaiters, 0, 1_000_000, "1500");
    Check.within("sluice.status.idle", idle, Duration.ofSeconds(1), Duration.ofHours(1), "30s");
  }

  int mostWaitersOrDefault() {
    return mostWaiters == 0 ? Settings.requestsInAQuarterOfTheHeap() / 4 * 3 : mostWaiters;
  }
}
