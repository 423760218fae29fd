package dev.sluice.recovery;

import dev.sluice.recovery.lead.Leadership;
import dev.sluice.recovery.relay.Relay;
import dev.sluice.recovery.relay.RelayMetrics;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Who leads, and whether the leader streams. */
@Component("relayHealthIndicator")
class RelayHealth implements HealthIndicator {
  private final Leadership leadership;
  private final Relay relay;
  private final RelayMetrics metrics;

  RelayHealth(Leadership leadership, Relay relay, RelayMetrics metrics) {
    this.leadership = leadership;
    this.relay = relay;
    this.metrics = metrics;
  }

  @Override
  public Health health() {
    boolean leads = leadership.held();
    boolean streams = relay.isStreaming();
    boolean someoneLeads = leadership.leader().isPresent();
    var health = (leads ? streams : someoneLeads) ? Health.up() : Health.outOfService();
    health
        .withDetail("instance", leadership.instance())
        .withDetail("leader", leadership.leader().orElse("nobody"))
        .withDetail("role", leads ? "leader" : "standby");
    if (leads) {
      health
          .withDetail("streaming", streams)
          .withDetail("lagSeconds", metrics.relayLagSeconds())
          .withDetail("slotLagBytes", metrics.slotLagBytes());
    }
    return health.build();
  }
}
