package dev.sluice.recovery.reconcile;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How held slots are compared with Temporal.
 *
 * @param every how often a pass over the held slots begins or goes on
 * @param quiet how long a slot was not looked at by anybody before we ask about it
 * @param perSecond how many questions a second Temporal is asked at most
 * @param concurrency how many of them at a time
 * @param batch how many rows a statement asks for
 * @param leakAfter a workflow closed this long ago whose slot is still held counts as a leak
 * @param listAbove with more held slots than this, closed workflows are listed first, because
 *     asking for each takes too long
 */
@ConfigurationProperties("sluice.recovery.reconcile")
public record ReconcileSettings(
    @DefaultValue("PT15S") Duration every,
    @DefaultValue("PT5S") Duration quiet,
    @DefaultValue("100") int perSecond,
    @DefaultValue("8") int concurrency,
    @DefaultValue("200") int batch,
    @DefaultValue("PT10S") Duration leakAfter,
    @DefaultValue("2000") int listAbove) {

  public ReconcileSettings {
    Duration least = Duration.ofMillis(1);
    Check.atLeast("sluice.recovery.reconcile.every", every, least, "15s");
    Check.atLeast("sluice.recovery.reconcile.quiet", quiet, least, "5s");
    Check.atLeast("sluice.recovery.reconcile.leak-after", leakAfter, least, "10s");
    Check.atLeast("sluice.recovery.reconcile.per-second", perSecond, 1, "100");
    Check.atLeast("sluice.recovery.reconcile.concurrency", concurrency, 1, "8");
    Check.atLeast("sluice.recovery.reconcile.batch", batch, 1, "200");
    Check.atLeast("sluice.recovery.reconcile.list-above", listAbove, 1, "2000");
  }
}
