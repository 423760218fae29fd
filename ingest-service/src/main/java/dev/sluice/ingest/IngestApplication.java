package dev.sluice.ingest;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The front door and the window: HTTP in, requests on Kafka out, and how they stand. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class IngestApplication {
  /** Its settings stand in ingest.yaml: other services may run in the same JVM. */
  public static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(IngestApplication.class)
        .properties("spring.config.name=ingest")
        .bannerMode(Banner.Mode.OFF);
  }

  public static void main(String[] args) {
    builder().run(args);
  }
}
