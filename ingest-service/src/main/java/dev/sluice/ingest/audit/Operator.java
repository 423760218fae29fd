package dev.sluice.ingest.audit;

import org.jspecify.annotations.Nullable;

/**
 * Who asks for a change, and why.
 *
 * @param name the authenticated principal's, or what a caller we trust says it is
 */
public record Operator(String name, @Nullable String reason) {
  public static final String ANONYMOUS = "anonymous";

  public Operator because(@Nullable String why) {
    return new Operator(name, why);
  }
}
