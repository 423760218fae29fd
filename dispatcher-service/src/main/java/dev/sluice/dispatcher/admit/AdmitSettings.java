package dev.sluice.dispatcher.admit;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much one admission takes on, and what comes first.
 *
 * @param workspacesPerBatch how many workspaces one transaction admits for, at the most
 * @param aging after waiting for so long an item counts as one priority higher, and again after as
 *     long, so that the last priority is not starved for ever; zero for never
 */
@ConfigurationProperties("sluice.admit")
public record AdmitSettings(
    @DefaultValue("200") int workspacesPerBatch, @DefaultValue("0s") Duration aging) {

  public AdmitSettings {
    Check.atLeast("sluice.admit.workspaces-per-batch", workspacesPerBatch, 1, "200");
    Check.that(
        aging.isZero() || aging.toMillis() >= 1,
        "sluice.admit.aging",
        aging.toSeconds() + "s",
        "zero, for no aging, or a time",
        "10m");
  }
}
