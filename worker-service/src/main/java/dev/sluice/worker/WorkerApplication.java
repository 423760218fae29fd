package dev.sluice.worker;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The reference Temporal worker: runs the node graphs of definitions. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class WorkerApplication {
  public static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(WorkerApplication.class)
        .bannerMode(Banner.Mode.OFF)
        .properties("spring.config.name=worker");
  }

  public static void main(String[] args) {
    builder().run(args);
  }
}
