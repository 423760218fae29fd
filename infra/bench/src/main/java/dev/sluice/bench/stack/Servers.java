package dev.sluice.bench.stack;

import dev.sluice.servers.Folders;
import dev.sluice.servers.LocalKafka;
import dev.sluice.servers.LocalPostgres;
import dev.sluice.servers.LocalTemporal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Kafka and PostgreSQL of this run, and Temporal servers as they are asked for. */
public final class Servers implements AutoCloseable {
  /** As a server has them: a laptop's do not hold a million rows. */
  private static final Map<String, String> MEMORY =
      Map.of("shared_buffers", "512MB", "max_wal_size", "4GB", "min_wal_size", "1GB");

  /** A gigabyte of them, 16 MB each. */
  private static final int LOG_FILES = 60;

  private final Path folder;
  private final LocalKafka kafka;
  private final LocalPostgres postgres;
  private final AtomicInteger names = new AtomicInteger();
  private @Nullable LocalTemporal real;

  public Servers(Path folder) {
    this.folder = folder;
    var starting =
        CompletableFuture.supplyAsync(() -> LocalKafka.start(folder.resolve("kafka"), 0));
    postgres = LocalPostgres.start(folder.resolve("postgres"), 0, MEMORY);
    postgres.layOutLog(LOG_FILES);
    kafka = starting.join();
    postmaster().ifPresent(CpuTime::alsoOf);
  }

  private Optional<ProcessHandle> postmaster() {
    try {
      var lines = Files.readAllLines(folder.resolve("postgres").resolve("postmaster.pid"));
      return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public LocalKafka kafka() {
    return kafka;
  }

  /** With nothing in it; whoever asks closes it. */
  public LocalKafka anotherKafka() {
    return LocalKafka.start(folder.resolve(freshName("kafka")), 0);
  }

  public LocalPostgres postgres() {
    return postgres;
  }

  /** With Sluice's schema. */
  public Tables tables() {
    return Tables.withSchema(postgres, freshName("bench"));
  }

  /** With nothing in it. */
  public Tables emptyTables(int connections) {
    return Tables.empty(postgres, freshName("bench"), connections);
  }

  /** A real server with nothing in it; empty where no CLI is found. */
  public synchronized Optional<LocalTemporal> startRealTemporal() {
    endRealTemporal();
    real =
        LocalTemporal.findCli()
            .map(cli -> LocalTemporal.server(cli, folder.resolve(freshName("temporal")), 0))
            .orElse(null);
    return Optional.ofNullable(real);
  }

  /** It is at work even when nobody asks it for anything. */
  public synchronized void endRealTemporal() {
    if (real != null) {
      real.close();
      real = null;
    }
  }

  private String freshName(String prefix) {
    return prefix + "_" + names.incrementAndGet();
  }

  @Override
  public synchronized void close() {
    endRealTemporal();
    kafka.close();
    postgres.close();
    Folders.delete(folder);
  }
}
