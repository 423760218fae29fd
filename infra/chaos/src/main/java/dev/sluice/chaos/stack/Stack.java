package dev.sluice.chaos.stack;

import dev.sluice.servers.LocalTemporal;
import dev.sluice.servers.Ports;
import dev.sluice.servers.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Three servers, one ingest, two dispatchers and one recovery, each a process of its own. */
public final class Stack implements AutoCloseable {
  public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

  /** Addresses of the caller's own servers are not for the processes here. */
  static final Set<String> GIVEN_SERVERS =
      Set.of("KAFKA_BOOTSTRAP_SERVERS", "DATABASE_URL", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE");

  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration START = Duration.ofSeconds(180);

  private final Path folder;
  private final Set<Integer> taken = new HashSet<>();
  private final Random random = new Random();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final String protocol;
  private final boolean realTemporal;
  private final boolean callbacks;
  private final int kafkaPort = freePort();
  private final int postgresPort = freePort();
  private final int temporalPort = freePort();
  private final int ingestPort = freePort();
  private final Part kafka;
  private final Part postgres;
  private final Part temporal;
  private final Part ingest;
  private final Part recovery;
  private final List<Part> dispatchers;

  /**
   * @param protocol of the dispatchers' consumer group: classic or consumer
   * @param callbacks whether the Temporal server may tell of closes, where it can
   */
  public Stack(Path folder, String protocol, boolean callbacks) {
    this.folder = folder;
    this.protocol = protocol;
    Optional<Path> cli = LocalTemporal.findCli();
    this.realTemporal = cli.isPresent();
    this.callbacks = callbacks && realTemporal;
    makeFolder(folder.resolve("logs"));
    kafka = server("kafka", kafkaPort);
    postgres =
        new PostgresPart(
            serverCommand("postgres", postgresPort),
            folder.resolve("postgres"),
            log("postgres-host"),
            this::databaseAnswers);
    temporal =
        cli.<Part>map(
                program ->
                    new TemporalServerPart(program, folder.resolve("temporal.db"), temporalPort))
            .orElseGet(() -> server("temporal", temporalPort));
    ingest = service("ingest", "dev.sluice.ingest.IngestApplication", ingestPort);
    recovery = service("recovery", "dev.sluice.recovery.RecoveryApplication", freePort());
    dispatchers = List.of(dispatcher("dispatcher-a"), dispatcher("dispatcher-b"));
  }

  public void start() {
    var servers = List.of(kafka, postgres, temporal);
    CompletableFuture.allOf(
            servers.stream()
                .map(server -> CompletableFuture.runAsync(server::start))
                .toArray(CompletableFuture[]::new))
        .join();
    services().forEach(Part::launch);
    services().forEach(service -> service.awaitReady(START));
  }

  public Part kafka() {
    return kafka;
  }

  public Part postgres() {
    return postgres;
  }

  public Part temporal() {
    return temporal;
  }

  public Part ingest() {
    return ingest;
  }

  public Part recovery() {
    return recovery;
  }

  public List<Part> dispatchers() {
    return dispatchers;
  }

  public boolean hasRealTemporal() {
    return realTemporal;
  }

  public boolean usesCallbacks() {
    return callbacks;
  }

  public String kafkaAddress() {
    return LOOPBACK + ":" + kafkaPort;
  }

  public String temporalAddress() {
    return LOOPBACK + ":" + temporalPort;
  }

  public String databaseUrl() {
    return "jdbc:postgresql://" + LOOPBACK + ":" + postgresPort + "/sluice";
  }

  public URI api() {
    return URI.create("http://" + LOOPBACK + ":" + ingestPort + "/v1/");
  }

  /** Waits until every process answers again. */
  public void awaitHealthy(Duration longest) {
    services().forEach(service -> service.awaitReady(longest));
  }

  @Override
  public void close() {
    var all = new ArrayList<>(services());
    all.forEach(service -> CompletableFuture.runAsync(service::stop).join());
    temporal.stop();
    kafka.stop();
    postgres.stop();
  }

  private List<Part> services() {
    var services = new ArrayList<>(dispatchers);
    services.add(ingest);
    services.add(recovery);
    return services;
  }

  private Part server(String kind, int port) {
    return new ProcessPart(kind, serverCommand(kind, port), log(kind), () -> listens(port));
  }

  private List<String> serverCommand(String kind, int port) {
    return Jvm.server(
        ServerMain.class.getName(),
        List.of(kind, folder.resolve(kind).toString(), Integer.toString(port)));
  }

  private Part dispatcher(String name) {
    int port = freePort();
    var settings = new ArrayList<String>();
    settings.add("--sluice.intake.session-timeout=" + SESSION_TIMEOUT.toSeconds() + "s");
    settings.add("--sluice.intake.group-protocol=" + protocol);
    // So that the group's description tells which process has which partitions.
    settings.add("--spring.kafka.client-id=" + name);
    if (callbacks) {
      settings.add("--sluice.callbacks.url=http://" + LOOPBACK + ":" + port);
      settings.add("--sluice.callbacks.secret=chaos");
    }
    return service(
        name, "dev.sluice.dispatcher.DispatcherApplication", port, settings.toArray(String[]::new));
  }

  private Part service(String name, String mainClass, int port, String... more) {
    var settings = new ArrayList<String>();
    settings.add("--server.port=" + port);
    settings.add("--KAFKA_BOOTSTRAP_SERVERS=" + kafkaAddress());
    settings.add("--DATABASE_URL=" + databaseUrl());
    settings.add("--TEMPORAL_ADDRESS=" + temporalAddress());
    if (!name.equals("ingest")) {
      // On the class path here for the ingest-service's sake.
      settings.add("--springdoc.api-docs.enabled=false");
    }
    settings.addAll(List.of(more));
    URI readiness = URI.create("http://" + LOOPBACK + ":" + port + "/actuator/health/readiness");
    return new ProcessPart(
        name,
        Jvm.service(mainClass, settings),
        log(name),
        () -> Readiness.answers(http, readiness));
  }

  private boolean databaseAnswers() {
    try (var connection = DriverManager.getConnection(databaseUrl(), "sluice", "sluice")) {
      return connection.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean listens(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(LOOPBACK, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Below the range from which clients get theirs: while a server is away, one of its clients could
   * otherwise be given the server's own port, and connect to itself.
   */
  private int freePort() {
    while (true) {
      int port = 20_000 + random.nextInt(12_000);
      if (!taken.contains(port) && !listens(port)) {
        taken.add(Ports.claim(port, "a process of the chaos run", "nothing; start it again"));
        return port;
      }
    }
  }

  private Path log(String name) {
    return folder.resolve("logs").resolve(name + ".log");
  }

  private static void makeFolder(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
