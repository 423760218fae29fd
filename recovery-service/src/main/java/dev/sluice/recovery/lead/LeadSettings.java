package dev.sluice.recovery.lead;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which of several instances streams.
 *
 * @param instance this instance's name, as health shows it; its host and process where not given
 * @param check how often the leader shows that it lives, and the others look whether it does
 * @param silence after this long without a sign the server takes the lead away
 */
@ConfigurationProperties("sluice.recovery.lead")
public record LeadSettings(
    @DefaultValue("") String instance,
    @DefaultValue("PT1S") Duration check,
    @DefaultValue("PT6S") Duration silence) {

  public LeadSettings {
    Check.atLeast("sluice.recovery.lead.check", check, Duration.ofMillis(10), "1s");
    Check.atLeast("sluice.recovery.lead.silence", silence, check.multipliedBy(3), "6s");
    if (instance.isBlank()) {
      instance = ownName();
    }
  }

  private static String ownName() {
    String host = System.getenv().getOrDefault("HOSTNAME", "localhost");
    return host + ":" + ProcessHandle.current().pid();
  }
}
