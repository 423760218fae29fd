package dev.sluice.dispatcher.intake;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much a workspace may have waiting that has no limit of its own for it.
 *
 * @param largest how many items; more become FAILED with BACKLOG_FULL
 */
@ConfigurationProperties("sluice.backlog")
public record BacklogSettings(@DefaultValue("1000000") int largest) {
  public BacklogSettings {
    Check.atLeast("sluice.backlog.largest", largest, 1, "1000000");
  }
}
