package dev.sluice.recovery;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Tells the world what happened, and lets nothing stay stuck. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class RecoveryApplication {

  public static SpringApplicationBuilder builder() {
    return new SpringApplicationBuilder(RecoveryApplication.class)
        .properties("spring.config.name=recovery")
        .bannerMode(Banner.Mode.OFF);
  }

  public static void main(String[] args) {
    builder().run(args);
  }
}
