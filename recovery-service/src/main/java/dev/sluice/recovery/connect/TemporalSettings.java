package dev.sluice.recovery.connect;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Where Temporal is. */
@ConfigurationProperties("sluice.temporal")
public record TemporalSettings(
    @DefaultValue("127.0.0.1:17233") String address, @DefaultValue("default") String namespace) {

  public TemporalSettings {
    Check.address("TEMPORAL_ADDRESS", address, "127.0.0.1:17233");
    Check.notBlank("TEMPORAL_NAMESPACE", namespace, "default");
  }
}
