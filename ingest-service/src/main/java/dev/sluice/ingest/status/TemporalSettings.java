package dev.sluice.ingest.status;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Temporal is asked for the progress of graphs only; all else works without it.
 *
 * @param queryTimeout how long a GET waits for it
 */
@ConfigurationProperties("sluice.temporal")
public record TemporalSettings(
    @DefaultValue("127.0.0.1:17233") String address,
    @DefaultValue("default") String namespace,
    @DefaultValue("1s") Duration queryTimeout) {
  public TemporalSettings {
    Check.address("TEMPORAL_ADDRESS", address, "127.0.0.1:17233");
    Check.notBlank("TEMPORAL_NAMESPACE", namespace, "default");
    Check.within(
        "sluice.temporal.query-timeout",
        queryTimeout,
        Duration.ofMillis(50),
        Duration.ofSeconds(10),
        "1s");
  }
}
