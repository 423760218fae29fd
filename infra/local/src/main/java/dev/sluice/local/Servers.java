package dev.sluice.local;

import dev.sluice.servers.LocalKafka;
import dev.sluice.servers.LocalPostgres;
import dev.sluice.servers.LocalTemporal;
import java.nio.file.Path;

/** Starts the servers, or takes those whose address is given. */
final class Servers {
  private final Options options;
  private final Path data;

  Servers(Options options, Path data) {
    this.options = options;
    this.data = data;
  }

  Running kafka() {
    return options
        .given()
        .kafka()
        .map(address -> Running.given(Part.KAFKA, address))
        .orElseGet(
            () -> {
              var kafka = LocalKafka.start(data.resolve("kafka"), options.port(Part.KAFKA));
              return Running.started(
                  Part.KAFKA, kafka.bootstrapServers(), kafka.bootstrapServers(), kafka);
            });
  }

  Running postgres() {
    return options
        .given()
        .databaseUrl()
        .map(url -> Running.given(Part.POSTGRES, url))
        .orElseGet(
            () -> {
              var postgres =
                  LocalPostgres.start(data.resolve("postgres"), options.port(Part.POSTGRES));
              String shown =
                  "postgresql://%s:%s@127.0.0.1:%d/sluice"
                      .formatted(postgres.user(), postgres.password(), postgres.port());
              return Running.started(Part.POSTGRES, postgres.jdbcUrl(), shown, postgres);
            });
  }

  Running temporal() {
    return options
        .given()
        .temporal()
        .map(address -> Running.given(Part.TEMPORAL, address))
        .orElseGet(this::localTemporal);
  }

  private Running localTemporal() {
    int port = options.port(Part.TEMPORAL);
    LocalTemporal temporal =
        LocalTemporal.findCli()
            .map(cli -> LocalTemporal.server(cli, data.resolve("temporal.db"), port))
            .orElseGet(() -> LocalTemporal.inMemory(port));
    String kept = temporal.callbacks() ? "data kept" : "nothing kept over a restart";
    String shown = "%s (%s, %s)".formatted(temporal.address(), temporal.kind(), kept);
    return new Running(Part.TEMPORAL, temporal.address(), shown, temporal.callbacks(), temporal);
  }
}
