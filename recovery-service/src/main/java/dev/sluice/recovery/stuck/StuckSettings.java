package dev.sluice.recovery.stuck;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When a claim counts as stuck.
 *
 * @param lease how old a claim may be, by the database's clock
 * @param sweep how often the table is searched, whatever the stream says
 * @param check how often the claims seen in the stream are looked through
 * @param batch how many rows a statement asks for
 * @param followed how many open claims are remembered from the stream; the sweep finds the others
 * @param alarmAfter an item re-driven this often, and stuck again, is an alarm
 */
@ConfigurationProperties("sluice.recovery.stuck")
public record StuckSettings(
    @DefaultValue("PT5M") Duration lease,
    @DefaultValue("PT60S") Duration sweep,
    @DefaultValue("PT1S") Duration check,
    @DefaultValue("500") int batch,
    @DefaultValue("100000") int followed,
    @DefaultValue("3") int alarmAfter) {

  public StuckSettings {
    Check.atLeast("sluice.recovery.stuck.lease", lease, Duration.ofSeconds(1), "5m");
    Check.atLeast("sluice.recovery.stuck.sweep", sweep, Duration.ofSeconds(1), "60s");
    Check.atLeast("sluice.recovery.stuck.check", check, Duration.ofMillis(10), "1s");
    Check.atLeast("sluice.recovery.stuck.batch", batch, 1, "500");
    Check.atLeast("sluice.recovery.stuck.followed", followed, 1, "100000");
    Check.atLeast("sluice.recovery.stuck.alarm-after", alarmAfter, 1, "3");
  }
}
