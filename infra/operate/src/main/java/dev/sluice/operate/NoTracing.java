package dev.sluice.operate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Without a collector Spring Boot would still make a tracer that does nothing, and ask it about
 * every request.
 */
final class NoTracing implements AutoConfigurationImportFilter, EnvironmentAware {
  private static final String TRACING = "org.springframework.boot.micrometer.tracing.";

  private boolean off;

  @Override
  public void setEnvironment(Environment environment) {
    off = environment.getProperty(Tracing.ENDPOINT, "").isBlank();
  }

  @Override
  public boolean[] match(@Nullable String[] names, AutoConfigurationMetadata metadata) {
    var wanted = new boolean[names.length];
    for (int i = 0; i < names.length; i++) {
      String name = names[i];
      wanted[i] = !off || name == null || !name.startsWith(TRACING);
    }
    return wanted;
  }
}
