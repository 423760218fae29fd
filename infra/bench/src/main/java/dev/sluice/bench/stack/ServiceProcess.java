package dev.sluice.bench.stack;

import dev.sluice.servers.Ports;
import dev.sluice.servers.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A service as users run it: its packaged jar, a process of its own, on a free port. */
public final class ServiceProcess implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Path LOGS = Path.of("target", "bench", "logs");
  private static final Duration START = Duration.ofMinutes(2);
  private static final AtomicInteger STARTED = new AtomicInteger();

  /** The flags of {@code ./sluice}. */
  private static final List<String> FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Xmx384m",
          "-XX:+UseSerialGC");

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final String name;
  private final URI address;
  private final Path log;
  private final Child child;

  /**
   * Returns when it is ready. One is started after the other: several young JVMs at once keep two
   * cores so busy that they give up waiting for Kafka.
   *
   * @param name ingest, dispatcher or recovery
   * @param more settings
   */
  public static ServiceProcess start(
      String name, Servers servers, Tables tables, String temporalAddress, String... more) {
    var service = new ServiceProcess(name, servers, tables, temporalAddress, more);
    try {
      service.awaitReady();
      return service;
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private ServiceProcess(
      String name, Servers servers, Tables tables, String temporalAddress, String... more) {
    this.name = name;
    int port = Ports.claim(0, name, "nothing; start it again");
    address = URI.create("http://" + LOOPBACK + ":" + port);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-jar", jar(Path.of(""), name).toString()));
    command.add("--server.port=" + port);
    command.add("--server.address=" + LOOPBACK);
    command.add("--KAFKA_BOOTSTRAP_SERVERS=" + servers.kafka().bootstrapServers());
    command.add("--DATABASE_URL=" + tables.url());
    command.add("--DATABASE_USER=" + servers.postgres().user());
    command.add("--DATABASE_PASSWORD=" + servers.postgres().password());
    command.add("--TEMPORAL_ADDRESS=" + temporalAddress);
    command.add("--TEMPORAL_NAMESPACE=default");
    command.addAll(List.of(more));
    var builder = new ProcessBuilder(command);
    // Settings of the caller's own services are not for these.
    builder.environment().keySet().removeIf(variable -> variable.startsWith("SLUICE_"));
    try {
      log =
          Files.createDirectories(LOGS)
              .resolve("%s-%d.log".formatted(name, STARTED.incrementAndGet()));
      Files.deleteIfExists(log); // of an earlier run
      child = new Child(builder, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the build of the whole project leaves it. */
  static Path jar(Path root, String name) {
    Path target = root.resolve(name + "-service").resolve("target");
    try (var jars = Files.newDirectoryStream(target, name + "-service-*-exec.jar")) {
      var found = jars.iterator();
      if (found.hasNext()) {
        return found.next();
      }
    } catch (IOException e) {
      // Not there: the sentence below says what to do.
    }
    throw new IllegalStateException(
        "the jar of %s-service is not in %s; ./sluice bench builds it".formatted(name, target));
  }

  private void awaitReady() {
    URI readiness = address.resolve("/actuator/health/readiness");
    Await.until(
        name + " is ready", START, () -> !child.isAlive() || Readiness.answers(http, readiness));
    requireAlive();
  }

  private void requireAlive() {
    if (!child.isAlive()) {
      throw new IllegalStateException("%s ended by itself; %s says why".formatted(name, log));
    }
  }

  public URI address() {
    return address;
  }

  /** Processor time so far. */
  public double cpuSeconds() {
    requireAlive();
    return CpuTime.ofTree(child.handle());
  }

  /** Asks it to stop, so that several can do so at the same time. */
  public void terminate() {
    child.terminate();
  }

  @Override
  public void close() {
    http.close();
    child.close();
  }
}
