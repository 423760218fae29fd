package dev.sluice.ingest.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That nothing more is started of a workspace or a definition.
 *
 * @param until absent: until somebody resumes it
 */
public record Pause(@Nullable Instant until, @Nullable String reason) {
  /** "until … : why", as it goes on after "is paused". */
  public String text() {
    return (until == null ? "" : " until " + until) + (reason == null ? "" : ": " + reason);
  }
}
