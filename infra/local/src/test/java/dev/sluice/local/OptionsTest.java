package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.servers.CannotStart;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
  @ParameterizedTest
  @CsvSource({
    "INGEST, 8080",
    "DISPATCHER, 8081",
    "RECOVERY, 8082",
    "WORKER, 8083",
    "KAFKA, 19092",
    "POSTGRES, 15432",
    "TEMPORAL, 17233"
  })
  void everyPartHasItsKnownPort(Part part, int port) {
    assertThat(options(Map.of(), "up").port(part)).isEqualTo(port);
  }

  @Test
  void withoutOptionsItRunsOnItsOwnServersAndKeepsItsDataNearby() {
    var options = options(Map.of(), "up");
    assertThat(options.command()).isEqualTo(Options.Command.UP);
    assertThat(options.data()).isEqualTo(Path.of(".sluice"));
    assertThat(options.verbose()).isFalse();
    assertThat(options.given().kafka()).isEmpty();
    assertThat(options.given().databaseUrl()).isEmpty();
    assertThat(options.given().databaseUser()).isEqualTo("sluice");
    assertThat(options.given().databasePassword()).isEqualTo("sluice");
    assertThat(options.given().temporal()).isEmpty();
    assertThat(options.given().temporalNamespace()).isEqualTo("default");
  }

  @Test
  void anArgumentWinsOverTheEnvironment() {
    var environment = Map.of("SLUICE_INGEST_PORT", "9000", "SLUICE_KAFKA_PORT", "9001");
    var options = options(environment, "up", "--port-ingest", "0", "--data", "/d", "-v");
    assertThat(options.port(Part.INGEST)).isZero();
    assertThat(options.port(Part.KAFKA)).isEqualTo(9001);
    assertThat(options.data()).isEqualTo(Path.of("/d"));
    assertThat(options.verbose()).isTrue();
  }

  @Test
  void theLastOfTwoDataFoldersCounts() {
    assertThat(options(Map.of(), "up", "--data", "a", "--data", "b").data())
        .isEqualTo(Path.of("b"));
  }

  @Test
  void serversOfTheEnvironmentAreTakenUnlessEmpty() {
    var environment = Map.of("KAFKA_BOOTSTRAP_SERVERS", "k:1", "TEMPORAL_ADDRESS", "");
    var given = options(environment, "infra").given();
    assertThat(given.kafka()).contains("k:1");
    assertThat(given.temporal()).isEmpty();
  }

  @Tag("T6")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "down | There is no command down; try up, infra or help.",
        "up --prt 1 | There is no option --prt; ./sluice up --help lists them.",
        "up --data | --data needs a value; ./sluice up --help shows how.",
        "up --port-kafka x | --port-kafka is x; give it a port number, for example 18080, or 0 for"
            + " any free one.",
        "up --port-kafka 65536 | --port-kafka is 65536; give it a port number, for example 18080,"
            + " or 0 for any free one."
      })
  void aMistakeIsSaidInASentence(String line, String sentence) {
    assertThatThrownBy(() -> options(Map.of(), line.strip().split(" ")))
        .isInstanceOf(CannotStart.class)
        .hasMessage(sentence);
  }

  private static Options options(Map<String, String> environment, String... arguments) {
    return Options.parse(List.of(arguments), environment);
  }
}
