package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ingest.catalogue.BacklogSettings;
import dev.sluice.ingest.catalogue.GraphSettings;
import dev.sluice.ingest.http.HttpSettings;
import dev.sluice.ingest.publish.PublishSettings;
import dev.sluice.ingest.status.StatusSettings;
import dev.sluice.ingest.status.TemporalSettings;
import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

@Tag("Q21")
class SettingsTest {
  @Test
  void everySettingHasItsDefault() {
    assertThat(bind("sluice.database", DatabaseSettings.class))
        .isEqualTo(
            new DatabaseSettings(
                "jdbc:postgresql://127.0.0.1:15432/sluice", "sluice", "sluice", 10));
    assertThat(bind("sluice.temporal", TemporalSettings.class))
        .isEqualTo(new TemporalSettings("127.0.0.1:17233", "default", Duration.ofSeconds(1)));
    assertThat(bind("sluice.publish", PublishSettings.class))
        .isEqualTo(
            new PublishSettings(
                12,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                4,
                10_000,
                DataSize.ofMegabytes(64),
                Duration.ofSeconds(10)));
    assertThat(bind("sluice.status", StatusSettings.class))
        .isEqualTo(
            new StatusSettings(
                Duration.ofSeconds(2),
                Duration.ofSeconds(60),
                Duration.ofMillis(250),
                Duration.ofSeconds(30),
                0));
    assertThat(bind("sluice.http", HttpSettings.class)).isEqualTo(new HttpSettings(0));
    assertThat(bind("sluice.backlog", BacklogSettings.class))
        .isEqualTo(new BacklogSettings(1_000_000));
    assertThat(bind("sluice.graph", GraphSettings.class)).isEqualTo(new GraphSettings(Set.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "sluice.database.connections, 1, DatabaseSettings",
    "sluice.publish.partitions, 0, PublishSettings",
    "sluice.publish.delivery-timeout, 1ms, PublishSettings",
    "sluice.publish.max-block, 2h, PublishSettings",
    "sluice.publish.batch-producers, 0, PublishSettings",
    "sluice.publish.fast-capacity, -1, PublishSettings",
    "sluice.publish.fast-bytes, 1KB, PublishSettings",
    "sluice.publish.fast-flush, -1s, PublishSettings",
    "sluice.status.appearance, 2h, StatusSettings",
    "sluice.status.youth, 0s, StatusSettings",
    "sluice.status.recheck, 1ms, StatusSettings",
    "sluice.status.idle, 0s, StatusSettings",
    "sluice.status.most-waiters, -1, StatusSettings",
    "sluice.http.most-in-flight, -1, HttpSettings",
    "sluice.backlog.largest, 0, BacklogSettings",
    "sluice.graph.node-types, a b, GraphSettings",
    "sluice.temporal.query-timeout, 1h, TemporalSettings"
  })
  void aWrongSettingIsNamedWithAnExample(String name, String value, String type) throws Exception {
    String prefix = name.substring(0, name.lastIndexOf('.'));
    Class<?> settings = typeOf(type);
    var binder = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));
    assertThatThrownBy(() -> binder.bindOrCreate(prefix, settings))
        .rootCause()
        .hasMessageContaining(name)
        .hasMessageContaining("\"; it must be ")
        .hasMessageContaining("for example");
  }

  @Test
  void thePasswordIsNotPrinted() {
    assertThat(new DatabaseSettings("jdbc:postgresql://h/d", "u", "geheim", 2).toString())
        .doesNotContain("geheim");
  }

  @Test
  @Tag("T6")
  void aServerThatCannotBeReachedStopsTheStartWithASentence() {
    assertThatThrownBy(() -> Ingest.startOn("127.0.0.1:1", TestStack.shared().freshDatabase("x")))
        .hasRootCauseInstanceOf(Exception.class)
        .hasStackTraceContaining("KAFKA_BOOTSTRAP_SERVERS is \"127.0.0.1:1\"; it cannot be used");
    assertThatThrownBy(() -> Ingest.start("jdbc:postgresql://127.0.0.1:1/none"))
        .hasStackTraceContaining(
            "DATABASE_URL is \"jdbc:postgresql://127.0.0.1:1/none\"; it cannot be used");
  }

  private static <T> T bind(String prefix, Class<T> type) {
    return new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate(prefix, type);
  }

  private static Class<?> typeOf(String name) {
    return Set.of(
            DatabaseSettings.class,
            PublishSettings.class,
            StatusSettings.class,
            BacklogSettings.class,
            GraphSettings.class,
            HttpSettings.class,
            TemporalSettings.class)
        .stream()
        .filter(type -> type.getSimpleName().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
