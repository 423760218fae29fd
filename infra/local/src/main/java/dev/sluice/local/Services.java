package dev.sluice.local;

import dev.sluice.dispatcher.DispatcherApplication;
import dev.sluice.ingest.IngestApplication;
import dev.sluice.recovery.RecoveryApplication;
import dev.sluice.servers.Ports;
import dev.sluice.worker.WorkerApplication;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Starts the services, each as a Spring context of its own. */
final class Services {
  private static final List<String> NOT_FOR_THE_WORKER =
      List.of(
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
          "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration");

  private final GivenServers given;
  private final Map<Part, Integer> ports = new EnumMap<>(Part.class);

  /** Claims the ports at once, so that a taken one is said before anything is started. */
  Services(Options options) {
    given = options.given();
    for (Part part : Part.values()) {
      if (part.isService()) {
        ports.put(part, Ports.claim(options.port(part), part.label(), part.portSetting()));
      }
    }
  }

  Running start(Part part, Map<Part, Running> servers) {
    int port = ports.getOrDefault(part, part.defaultPort());
    var context =
        builder(part)
            // Stopped by us, in order, and not by a hook of its own.
            .registerShutdownHook(false)
            .initializers(starting -> Logs.apply(starting.getEnvironment()))
            .run(settings(part, port, servers).toArray(String[]::new));
    String address = "http://127.0.0.1:" + port;
    return Running.started(part, address, address, context);
  }

  private static SpringApplicationBuilder builder(Part service) {
    return switch (service) {
      case WORKER -> WorkerApplication.builder();
      case RECOVERY -> RecoveryApplication.builder();
      case DISPATCHER -> DispatcherApplication.builder();
      case INGEST -> IngestApplication.builder();
      case POSTGRES, KAFKA, TEMPORAL ->
          throw new IllegalArgumentException(service + " is not a service");
    };
  }

  private List<String> settings(Part service, int port, Map<Part, Running> servers) {
    var settings = new ArrayList<String>();
    settings.add("--server.port=" + port);
    settings.add("--DATABASE_USER=" + given.databaseUser());
    settings.add("--DATABASE_PASSWORD=" + given.databasePassword());
    settings.add("--TEMPORAL_NAMESPACE=" + given.temporalNamespace());
    for (Running server : servers.values()) {
      settings.add("--" + addressSetting(server.part()) + "=" + server.address());
      if (service == Part.DISPATCHER && server.callbacks()) {
        settings.add("--sluice.callbacks.url=http://127.0.0.1:" + port);
      }
    }
    if (service != Part.INGEST) {
      settings.add("--springdoc.api-docs.enabled=false");
    }
    if (service == Part.WORKER) {
      // On the class path here for the others' sake; alone the worker has no database and no Kafka.
      settings.add("--spring.autoconfigure.exclude=" + String.join(",", NOT_FOR_THE_WORKER));
    }
    return settings;
  }

  private static String addressSetting(Part server) {
    return switch (server) {
      case POSTGRES -> "DATABASE_URL";
      case KAFKA -> "KAFKA_BOOTSTRAP_SERVERS";
      case TEMPORAL -> "TEMPORAL_ADDRESS";
      case WORKER, RECOVERY, DISPATCHER, INGEST ->
          throw new IllegalArgumentException(server + " is not a server");
    };
  }
}
