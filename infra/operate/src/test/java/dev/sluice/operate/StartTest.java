package dev.sluice.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** A service that is started as a user starts it, right and wrong. */
@ExtendWith(OutputCaptureExtension.class)
class StartTest {
  @ConfigurationProperties("sluice.sample")
  record Sample(int size, Duration pause) {
    Sample {
      Check.atLeast("sluice.sample.size", size, 1, "10");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(Sample.class)
  static class Service {}

  private static void start(String... arguments) {
    new SpringApplicationBuilder(Service.class)
        .web(WebApplicationType.NONE)
        .properties("spring.config.name=none", "sluice.sample.size=1", "sluice.sample.pause=1s")
        .run(arguments)
        .close();
  }

  @Test
  @Tag("T6")
  void aValueOutOfRangeIsOneSentence(CapturedOutput output) {
    assertThatThrownBy(() -> start("--sluice.sample.size=-3"));
    assertThat(output)
        .contains("sluice.sample.size is \"-3\"; it must be at least 1, for example 10")
        .doesNotContain("\tat ");
  }

  @Test
  @Tag("T6")
  void aValueOfTheWrongKindIsOneSentence(CapturedOutput output) {
    assertThatThrownBy(() -> start("--sluice.sample.pause=soon"));
    assertThat(output)
        .contains("sluice.sample.pause is \"soon\"; it must be a time, for example 5s")
        .doesNotContain("\tat ");
  }

  @Test
  void logsAreJsonWithTheirFieldsWhenAskedFor(CapturedOutput output) {
    start("--SLUICE_LOG_FORMAT=json");
    LoggerFactory.getLogger("test").atInfo().addKeyValue("workspace", "acme").log("dispatched");
    assertThat(output)
        .containsPattern("\\{\"@timestamp\":.*\"message\":\"dispatched\".*\"workspace\":\"acme\"");
  }

  /** Spring Boot leaves what it found in the system's properties, for the next to find. */
  @AfterEach
  void textAgain() {
    System.clearProperty("CONSOLE_LOG_STRUCTURED_FORMAT");
  }

  @Test
  void anUnknownLogFormatStopsTheStart() {
    assertThatThrownBy(() -> start("--SLUICE_LOG_FORMAT=xml"))
        .hasStackTraceContaining(
            "SLUICE_LOG_FORMAT is \"xml\"; it must be text or json, for example json");
  }

  @Test
  void aSecretIsNeverShown() {
    var secret = new WrongSetting("sluice.callbacks.secret", "geheim", "it must be long", "x");
    assertThat(secret).hasMessageContaining("\"…\"").hasMessageNotContaining("geheim");
    var url =
        new WrongSetting(
            "DATABASE_URL", "postgresql://u:geheim@h/d?password=geheim", "it cannot be used", "x");
    assertThat(url).hasMessageContaining("//…@h/d").hasMessageNotContaining("geheim");
  }

  @Test
  void whatCannotBeReachedIsToldWithinTenSeconds() {
    long began = System.nanoTime();
    assertThatThrownBy(() -> KafkaStart.topics(Map.of("bootstrap.servers", "127.0.0.1:1"), 1))
        .hasMessageStartingWith("KAFKA_BOOTSTRAP_SERVERS is \"127.0.0.1:1\"; it cannot be used (");
    assertThatThrownBy(() -> KafkaStart.topics(Map.of("bootstrap.servers", "nonsense"), 1))
        .hasMessageContaining("KAFKA_BOOTSTRAP_SERVERS is \"nonsense\"; it cannot be used (");
    assertThatThrownBy(
            () -> PostgresStart.pool("x", "jdbc:postgresql://127.0.0.1:1/d", "u", "geheim", 1))
        .hasMessageStartingWith("DATABASE_URL is \"jdbc:postgresql://127.0.0.1:1/d\"; it cannot")
        .hasMessageNotContaining("geheim");
    assertThatThrownBy(() -> PostgresStart.pool("x", "mysql://u:geheim@h", "u", "geheim", 1))
        .hasMessageStartingWith("DATABASE_URL is \"mysql://…@h\"; it must be an address of")
        .hasMessageNotContaining("geheim");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
  }
}
