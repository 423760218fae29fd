package dev.sluice.servers;

import java.nio.file.Path;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Kafka, PostgreSQL and Temporal for the tests of one JVM: started once, in parallel, on any free
 * ports, with data in a fresh folder under {@code target/}, stopped when the JVM ends.
 */
public final class TestStack {
  private final Path folder = TestFolders.fresh(Path.of("target"));
  private final Deque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
  private final AtomicInteger databases = new AtomicInteger();
  private final AtomicInteger brokers = new AtomicInteger();
  private final LocalKafka kafka;
  private final LocalPostgres postgres;
  private final LocalTemporal temporal;
  private @Nullable LocalTemporal realTemporal;

  private TestStack() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "test-stack-stop"));
    var kafkaStart = starting(() -> LocalKafka.start(folder.resolve("kafka"), 0));
    var postgresStart = starting(() -> LocalPostgres.start(folder.resolve("postgres"), 0));
    var temporalStart = starting(() -> LocalTemporal.inMemory(0));
    try {
      kafka = kafkaStart.join();
      postgres = postgresStart.join();
      temporal = temporalStart.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CannotStart reason ? reason : e;
    }
  }

  public static TestStack shared() {
    return Holder.STACK;
  }

  public LocalKafka kafka() {
    return kafka;
  }

  /** A second broker, for tests whose topics must be their own. */
  public LocalKafka anotherKafka() {
    return stoppedAtTheEnd(
        LocalKafka.start(folder.resolve("kafka-" + brokers.incrementAndGet()), 0));
  }

  public LocalPostgres postgres() {
    return postgres;
  }

  /** The in-memory one. */
  public LocalTemporal temporal() {
    return temporal;
  }

  /** A real Temporal server, started at the first call; empty where no CLI is found. */
  public synchronized Optional<LocalTemporal> realTemporal() {
    if (realTemporal == null) {
      realTemporal =
          LocalTemporal.findCli()
              .map(cli -> LocalTemporal.server(cli, folder.resolve("temporal.db"), 0))
              .map(this::stoppedAtTheEnd)
              .orElse(null);
    }
    return Optional.ofNullable(realTemporal);
  }

  /** Makes an empty database, never the same twice, and gives its JDBC URL. */
  public String freshDatabase(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    String unique = plain + "_" + databases.incrementAndGet();
    postgres.createDatabase(unique);
    return postgres.jdbcUrl(unique);
  }

  private <T extends AutoCloseable> CompletableFuture<T> starting(Supplier<T> start) {
    return CompletableFuture.supplyAsync(start).thenApply(this::stoppedAtTheEnd);
  }

  private <T extends AutoCloseable> T stoppedAtTheEnd(T server) {
    started.push(server);
    return server;
  }

  private void stop() {
    for (AutoCloseable server : started) {
      try {
        server.close();
      } catch (Exception e) {
        System.err.println("a server of the tests did not stop: " + e);
      }
    }
    Folders.delete(folder);
  }

  private static final class Holder {
    static final TestStack STACK = new TestStack();
  }
}
