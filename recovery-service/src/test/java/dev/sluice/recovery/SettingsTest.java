package dev.sluice.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.recovery.connect.DatabaseSettings;
import dev.sluice.recovery.connect.KafkaSettings;
import dev.sluice.recovery.connect.TemporalSettings;
import dev.sluice.recovery.lead.LeadSettings;
import dev.sluice.recovery.reconcile.ReconcileSettings;
import dev.sluice.recovery.relay.RelaySettings;
import dev.sluice.recovery.retention.RetentionSettings;
import dev.sluice.recovery.stuck.StuckSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Tag("Q21")
class SettingsTest {

  @Test
  void defaultsAreAsDocumented() {
    assertThat(bind("sluice.recovery.relay", RelaySettings.class, Map.of()))
        .isEqualTo(
            new RelaySettings(
                "sluice_outbox",
                "sluice_outbox",
                Duration.ofMillis(10),
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ofMinutes(2),
                Duration.ofSeconds(1)));
    assertThat(bind("sluice.recovery.stuck", StuckSettings.class, Map.of()))
        .isEqualTo(
            new StuckSettings(
                Duration.ofMinutes(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(1),
                500,
                100_000,
                3));
    assertThat(bind("sluice.recovery.reconcile", ReconcileSettings.class, Map.of()))
        .isEqualTo(
            new ReconcileSettings(
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                100,
                8,
                200,
                Duration.ofSeconds(10),
                2000));
    assertThat(bind("sluice.recovery.retention", RetentionSettings.class, Map.of()))
        .isEqualTo(
            new RetentionSettings(
                Duration.ofDays(30), Duration.ofSeconds(60), 500, 50_000, Duration.ofMillis(50)));
  }

  @Test
  void defaultsOfTheServersAreTheLocalOnes() {
    assertThat(bind("sluice.database", DatabaseSettings.class, Map.of()))
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:postgresql://127.0.0.1:15432/sluice", "sluice", "sluice", 6));
    assertThat(bind("sluice.temporal", TemporalSettings.class, Map.of()))
        .isEqualTo(new TemporalSettings("127.0.0.1:17233", "default"));
    assertThat(bind("sluice.kafka", KafkaSettings.class, Map.of()))
        .isEqualTo(new KafkaSettings(12));
    var lead = bind("sluice.recovery.lead", LeadSettings.class, Map.of());
    assertThat(lead.check()).isEqualTo(Duration.ofSeconds(1));
    assertThat(lead.silence()).isEqualTo(Duration.ofSeconds(6));
    assertThat(lead.instance()).endsWith(":" + ProcessHandle.current().pid());
  }

  @ParameterizedTest
  @CsvSource({
    "sluice.recovery.relay.slot, Not-A-Name, sluice_outbox",
    "sluice.recovery.relay.poll-interval, PT0S, 10ms",
    "sluice.recovery.stuck.lease, PT0S, 5m",
    "sluice.recovery.stuck.batch, 0, 500",
    "sluice.recovery.reconcile.per-second, 0, 100",
    "sluice.recovery.reconcile.every, PT0S, 15s",
    "sluice.recovery.retention.keep, PT-1S, 30d",
    "sluice.recovery.retention.per-round, 1, 50000",
    "sluice.recovery.lead.silence, PT1S, 6s",
    "sluice.kafka.partitions, 0, 12",
    "sluice.database.connections, 1, 6",
    "sluice.temporal.address, nowhere, 127.0.0.1:17233"
  })
  void aWrongSettingIsNamedWithItsValueAndAnExample(String name, String value, String example) {
    Class<?> type = type(name);
    String prefix = name.substring(0, name.lastIndexOf('.'));
    assertThatThrownBy(() -> bind(prefix, type, Map.of(name, value)))
        .rootCause()
        .hasMessageContaining(name.equals("sluice.temporal.address") ? "TEMPORAL_ADDRESS" : name)
        .hasMessageContaining("example " + example);
  }

  private static Class<?> type(String name) {
    return switch (name.substring(0, name.lastIndexOf('.'))) {
      case "sluice.recovery.relay" -> RelaySettings.class;
      case "sluice.recovery.stuck" -> StuckSettings.class;
      case "sluice.recovery.reconcile" -> ReconcileSettings.class;
      case "sluice.recovery.retention" -> RetentionSettings.class;
      case "sluice.recovery.lead" -> LeadSettings.class;
      case "sluice.kafka" -> KafkaSettings.class;
      case "sluice.database" -> DatabaseSettings.class;
      default -> TemporalSettings.class;
    };
  }

  private static <T> T bind(String prefix, Class<T> type, Map<String, String> given) {
    return new Binder(new MapConfigurationPropertySource(given)).bindOrCreate(prefix, type);
  }
}
