package dev.sluice.dispatcher;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Takes requests from Kafka, keeps the queue, and starts workflows as the plans allow. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class DispatcherApplication {
  public static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(DispatcherApplication.class)
        .bannerMode(Banner.Mode.OFF)
        .properties("spring.config.name=dispatcher");
  }

  public static void main(String[] args) {
    builder().run(args);
  }
}
