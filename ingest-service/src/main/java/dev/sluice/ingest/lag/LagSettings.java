package dev.sluice.ingest.lag;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param every how often the broker is asked for the metrics
 */
@ConfigurationProperties("sluice.lag")
public record LagSettings(@DefaultValue("5s") Duration every) {
  public LagSettings {
    Check.within("sluice.lag.every", every, Duration.ofMillis(200), Duration.ofMinutes(10), "5s");
  }
}
