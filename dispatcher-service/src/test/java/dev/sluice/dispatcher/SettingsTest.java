package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.finish.FinishSettings;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.dispatcher.temporal.CallbackSettings;
import dev.sluice.dispatcher.temporal.TemporalSettings;
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
  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "sluice.admit", AdmitSettings.class,
          "sluice.callbacks", CallbackSettings.class,
          "sluice.engine", EngineSettings.class,
          "sluice.finish", FinishSettings.class,
          "sluice.intake", IntakeSettings.class,
          "sluice.start", StartSettings.class,
          "sluice.temporal", TemporalSettings.class);

  @Test
  void everySettingHasItsDefault() {
    assertThat(bind("sluice.engine", Map.of())).isEqualTo(new EngineSettings(true));
    assertThat(bind("sluice.admit", Map.of())).isEqualTo(new AdmitSettings(200, Duration.ZERO));
    assertThat(bind("sluice.temporal", Map.of()))
        .isEqualTo(new TemporalSettings("127.0.0.1:17233", "default", false));
    assertThat(bind("sluice.intake", Map.of()))
        .isEqualTo(
            new IntakeSettings(
                1000,
                2,
                1,
                "classic",
                Duration.ofSeconds(10),
                12,
                Duration.ofMillis(100),
                Duration.ofSeconds(30)));
    assertThat(bind("sluice.finish", Map.of()))
        .isEqualTo(
            new FinishSettings(
                200, Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(1)));
    assertThat(bind("sluice.start", Map.of()))
        .isEqualTo(
            new StartSettings(
                32,
                64,
                512,
                64,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofMillis(200),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1)));
  }

  @Test
  void withoutAUrlThereAreNoCallbacksAndASecretIsMadeAndNeverShown() {
    var settings = (CallbackSettings) bind("sluice.callbacks", Map.of());

    assertThat(settings.url()).isEmpty();
    assertThat(settings.secret()).isNotEmpty();
    assertThat(settings.toString()).doesNotContain(settings.secret());
  }

  @ParameterizedTest
  @CsvSource({
    "sluice.admit, workspaces-per-batch, 0",
    "sluice.callbacks, url, nonsense",
    "sluice.finish, long-polls, -1",
    "sluice.finish, poll-timeout, 0s",
    "sluice.intake, batch-size, 0",
    "sluice.intake, consumers, -1",
    "sluice.intake, group-protocol, new",
    "sluice.intake, partitions, 0",
    "sluice.intake, session-timeout, 0s",
    "sluice.start, concurrency, 0",
    "sluice.start, concurrency-when-slow, 0",
    "sluice.start, max-claimed, 0",
    "sluice.start, max-claimed-per-workspace, 0",
    "sluice.start, call-timeout, 0s",
    "sluice.start, confirm-after, -1s",
    "sluice.start, first-pause, 0s",
    "sluice.start, longest-pause, 0s",
    "sluice.start, first-backoff, 0s",
    "sluice.start, longest-backoff, 0s",
    "sluice.temporal, address, temporal"
  })
  void aWrongSettingStopsTheStartAndIsNamed(String prefix, String name, String value) {
    assertThatThrownBy(() -> bind(prefix, Map.of(name, value)))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .containsAnyOf(name, name.toUpperCase(java.util.Locale.ROOT))
        .contains("\"; it must be ", ", for example ");
  }

  private static Object bind(String prefix, Map<String, String> values) {
    var properties = new java.util.HashMap<String, String>();
    values.forEach((name, value) -> properties.put(prefix + "." + name, value));
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate(prefix, TYPES.get(prefix));
  }
}
