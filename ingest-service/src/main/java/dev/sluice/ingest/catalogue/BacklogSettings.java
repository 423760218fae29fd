package dev.sluice.ingest.catalogue;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much a workspace may have waiting.
 *
 * @param largest how many items of a workspace without a cap of its own may wait before more are
 *     refused with 429
 */
@ConfigurationProperties("sluice.backlog")
public record BacklogSettings(@DefaultValue("1000000") int largest) {
  public BacklogSettings {
    Check.within("sluice.backlog.largest", largest, 1, Integer.MAX_VALUE, "1000000");
  }
}
