package dev.sluice.operate;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Logs as text for people, or one JSON object a line for machines; the fields are the same. Runs
 * before logging is set up.
 */
final class LogFormat implements EnvironmentPostProcessor, Ordered {
  private static final String SETTING = "SLUICE_LOG_FORMAT";

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    String format = environment.getProperty(SETTING, "");
    Check.that(
        format.isEmpty() || format.equals("text") || format.equals("json"),
        SETTING,
        format,
        "text or json",
        "json");
    if (format.equals("json")) {
      environment
          .getPropertySources()
          .addFirst(
              new MapPropertySource(
                  "sluiceLogFormat", Map.of("logging.structured.format.console", "logstash")));
    }
  }

  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER + 1;
  }
}
