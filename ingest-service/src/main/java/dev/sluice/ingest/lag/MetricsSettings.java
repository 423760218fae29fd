package dev.sluice.ingest.lag;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param topWorkspaces for how many workspaces, those with most waiting first, there are metrics of
 *     their own; 0 for none, because each is a series of its own in Prometheus
 */
@ConfigurationProperties("sluice.metrics")
public record MetricsSettings(@DefaultValue("0") int topWorkspaces) {
  public MetricsSettings {
    Check.within("sluice.metrics.top-workspaces", topWorkspaces, 0, 1000, "20");
  }
}
