package dev.sluice.recovery.retention;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long what is over is kept.
 *
 * @param keep after this long a terminal row leaves; the same request sent again is new from then
 *     on, so it must be longer than Temporal's own retention
 * @param every how often rows leave
 * @param batch how many in one transaction
 * @param perRound how many in one round at most
 * @param pause between two transactions, for the others
 */
@ConfigurationProperties("sluice.recovery.retention")
public record RetentionSettings(
    @DefaultValue("P30D") Duration keep,
    @DefaultValue("PT60S") Duration every,
    @DefaultValue("500") int batch,
    @DefaultValue("50000") int perRound,
    @DefaultValue("PT0.05S") Duration pause) {

  public RetentionSettings {
    Check.positive("sluice.recovery.retention.keep", keep, "30d");
    Check.atLeast("sluice.recovery.retention.every", every, Duration.ofSeconds(1), "60s");
    Check.within("sluice.recovery.retention.batch", batch, 1, 10_000, "500");
    Check.that(
        perRound >= batch,
        "sluice.recovery.retention.per-round",
        perRound,
        "at least sluice.recovery.retention.batch",
        "50000");
    Check.atLeast("sluice.recovery.retention.pause", pause, Duration.ZERO, "50ms");
  }
}
