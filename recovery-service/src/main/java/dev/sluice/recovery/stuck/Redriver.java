package dev.sluice.recovery.stuck;

import dev.sluice.contracts.Signal;
import dev.sluice.recovery.signal.SignalSender;
import dev.sluice.recovery.stuck.StuckLedger.Claim;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the owner of each stuck claim to look at it; counts, and says when it does not help. */
final class Redriver {
  private static final Logger log = LoggerFactory.getLogger(Redriver.class);

  private final SignalSender signals;
  private final int alarmAfter;
  private final Counter redriven;
  private final Counter alarms;

  Redriver(SignalSender signals, int alarmAfter, MeterRegistry meters) {
    this.signals = signals;
    this.alarmAfter = alarmAfter;
    this.redriven =
        Counter.builder("sluice.queue.stale.recovery")
            .description("claims past their lease whose owner was asked to look")
            .register(meters);
    this.alarms =
        Counter.builder("sluice.queue.redrive.alarms")
            .description("items that stay stuck although they were re-driven several times")
            .register(meters);
  }

  void redrive(Collection<Claim> stuck) throws InterruptedException {
    if (stuck.isEmpty()) {
      return;
    }
    signals.send(stuck.stream().map(c -> new Signal.Redrive(c.workspaceId(), c.id())).toList());
    redriven.increment(stuck.size());
    stuck.stream().filter(c -> c.redrives() >= alarmAfter).forEach(this::alarm);
  }

  private void alarm(Claim claim) {
    alarms.increment();
    log.atError()
        .addKeyValue("alarm", "redrive-does-not-help")
        .addKeyValue("execution", claim.id())
        .addKeyValue("workspace", claim.workspaceId())
        .addKeyValue("redrives", claim.redrives())
        .addKeyValue("claimedAt", claim.claimedAt())
        .log("an item was re-driven again and again and its claim is past its lease once more");
  }
}
