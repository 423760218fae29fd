package dev.sluice.worker.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.worker.WorkerApplication;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class SettingsTest {
  private static final WorkerSettings DEFAULTS =
      new WorkerSettings(
          200,
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20),
          Duration.ofSeconds(1));

  @Test
  @Tag("Q21")
  void everySettingHasItsDefault() {
    assertThat(bind(Map.of())).isEqualTo(DEFAULTS);
    assertThat(new Binder().bindOrCreate("sluice.temporal", TemporalSettings.class))
        .isEqualTo(new TemporalSettings("127.0.0.1:17233", "default"));
  }

  @Test
  void theFileOfSettingsSaysTheSameAsTheCode() {
    try (var worker =
        WorkerApplication.builder().run("--server.port=0", "--TEMPORAL_ADDRESS=127.0.0.1:1")) {
      assertThat(worker.getBean(WorkerSettings.class)).isEqualTo(DEFAULTS);
      assertThat(worker.getBean(TemporalSettings.class))
          .isEqualTo(new TemporalSettings("127.0.0.1:1", "default"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          concurrent-nodes  | 0     | sluice.worker.concurrent-nodes is "0"; it must be at least 1, for example 200
          sticky-timeout    | -PT1S | sluice.worker.sticky-timeout is "-1s"; it must be at least 0s, for example 5s
          node-timeout      | PT0S  | sluice.worker.node-timeout is "0s"; it must be above zero, for example 10m
          heartbeat-timeout | PT2S  | sluice.worker.heartbeat-timeout is "2s"; it must be at least 3s, for example 30s
          shutdown-grace    | -PT1S | sluice.worker.shutdown-grace is "-1s"; it must be at least 0s, for example 20s
          connect-retry     | PT0S  | sluice.worker.connect-retry is "0s"; it must be above zero, for example 1s
          """)
  @Tag("T6")
  void aWrongSettingIsRefusedWithASentence(String setting, String value, String sentence) {
    assertThatThrownBy(() -> bind(Map.of("sluice.worker." + setting, value)))
        .rootCause()
        .hasMessage(sentence);
  }

  @Test
  void anEmptyNamespaceIsRefused() {
    assertThatThrownBy(() -> new TemporalSettings("127.0.0.1:1", " "))
        .hasMessageContaining("TEMPORAL_NAMESPACE");
  }

  private static WorkerSettings bind(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bindOrCreate("sluice.worker", WorkerSettings.class);
  }
}
