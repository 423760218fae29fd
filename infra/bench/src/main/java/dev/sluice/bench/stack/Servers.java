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
  private final AtomicInteger databases = new AtomicInteger();
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

  public LocalPostgres postgres() {
    return postgres;
  }

  /** With Sluice's schema. */
  public Tables tables() {
    return Tables.withSchema(postgres, "bench_" + databases.incrementAndGet());
  }

  /** With nothing in it. */
  public Tables emptyTables(int connections) {
    return Tables.empty(postgres, "bench_" + databases.incrementAndGet(), connections);
  }

  /** The real server, started at the first call; empty where no CLI is found. */
  public synchronized Optional<LocalTemporal> realTemporal() {
    if (real == null) {
      real =
          LocalTemporal.findCli()
              .map(cli -> LocalTemporal.server(cli, folder.resolve("temporal.db"), 0))
              .orElse(null);
    }
    return Optional.ofNullable(real);
  }

  @Override
  public synchronized void close() {
    if (real != null) {
      real.close();
    }
    kafka.close();
    postgres.close();
    Folders.delete(folder);
  }
}
