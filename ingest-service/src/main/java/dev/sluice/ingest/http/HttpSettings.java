package dev.sluice.ingest.http;

import dev.sluice.ingest.Settings;
import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much is let in at once.
 *
 * @param mostInFlight requests under way, those that wait included, before more get 503; 0 for as
 *     many as fit into a quarter of the heap
 */
@ConfigurationProperties("sluice.http")
public record HttpSettings(@DefaultValue("0") int mostInFlight) {
  public HttpSettings {
    Check.within("sluice.http.most-in-flight", mostInFlight, 0, 1_000_000, "2000");
  }

  int mostInFlightOrDefault() {
    return mostInFlight == 0 ? Settings.requestsInAQuarterOfTheHeap() : mostInFlight;
  }
}
