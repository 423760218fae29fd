package dev.sluice.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL of this machine, a process of its own. A later start goes on with its data; one left
 * over by a killed JVM is stopped first.
 */
public final class LocalPostgres implements AutoCloseable {
  private static final String NAME = "sluice";
  private static final Duration CRASH_RECOVERY = Duration.ofSeconds(60);

  /** The library switches durability off for the sake of short tests; here it counts. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("listen_addresses", Ports.LOOPBACK),
          // Sockets in /tmp would clash with another user's server on the same port.
          Map.entry("unix_socket_directories", ""),
          Map.entry("fsync", "on"),
          Map.entry("synchronous_commit", "on"),
          Map.entry("full_page_writes", "on"),
          Map.entry("wal_level", "logical"),
          Map.entry("max_wal_senders", "20"),
          Map.entry("max_replication_slots", "20"),
          Map.entry("max_slot_wal_keep_size", "1GB"),
          Map.entry("shared_buffers", "64MB"),
          Map.entry("max_connections", "200"),
          Map.entry("log_checkpoints", "off"),
          Map.entry("shared_preload_libraries", "pg_stat_statements"));

  /** The superuser is for this class alone; everyone else needs the password. */
  private static final String WHO_MAY_CONNECT =
      """
      host  all          postgres  127.0.0.1/32  trust
      host  all          all       127.0.0.1/32  scram-sha-256
      host  replication  all       127.0.0.1/32  scram-sha-256
      """;

  private final EmbeddedPostgres server;

  private LocalPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Starts and waits until it answers; port 0 is any free one. */
  public static LocalPostgres start(Path dataDir, int port) {
    return start(dataDir, port, Map.of());
  }

  /** The same with settings of the caller's, which come before those of a laptop. */
  public static LocalPostgres start(Path dataDir, int port, Map<String, String> settings) {
    Path data = Folders.writable(dataDir);
    Path log = Folders.writable(data.resolveSibling("logs")).resolve("postgres.log");
    try {
      PostgresLeftovers.clear(data);
      int claimed = Ports.claim(port, "PostgreSQL", "SLUICE_POSTGRES_PORT");
      PostgresLeftovers.beginSetup(data);
      var postgres = new LocalPostgres(launch(data, claimed, log, settings));
      postgres.createSluice();
      PostgresLeftovers.endSetup(data);
      return postgres;
    } catch (IOException | SQLException | IllegalStateException e) {
      throw new CannotStart(
          "PostgreSQL did not start with the data in %s; %s says why.".formatted(data, log), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("The start of PostgreSQL was interrupted; start again.", e);
    }
  }

  public String jdbcUrl() {
    return jdbcUrl(NAME);
  }

  public String jdbcUrl(String database) {
    return "jdbc:postgresql://" + Ports.LOOPBACK + ":" + port() + "/" + database;
  }

  public String user() {
    return NAME;
  }

  public String password() {
    return NAME;
  }

  public int port() {
    return server.getPort();
  }

  public DataSource dataSource() {
    return dataSource(NAME);
  }

  public DataSource dataSource(String database) {
    var source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl(database));
    source.setUser(user());
    source.setPassword(password());
    return source;
  }

  /** An empty database of the user {@code sluice}. */
  public void createDatabase(String name) {
    try (Connection admin = server.getPostgresDatabase().getConnection()) {
      execute(admin, "CREATE DATABASE \"%s\" OWNER %s".formatted(name, NAME));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database " + name, e);
    }
  }

  /**
   * So many files of the log, 16 MB each, are there before they are needed, as they are in a server
   * that has run for a while: a new one is filled with zeros while those who commit wait. It keeps
   * as many as {@code min_wal_size} says.
   */
  public void layOutLog(int files) {
    try (Connection admin = server.getPostgresDatabase().getConnection()) {
      execute(
          admin,
          """
          do $$ begin
            for i in 1..%d loop
              perform pg_logical_emit_message(false, 'sluice', 'the rest of this file is left empty');
              perform pg_switch_wal();
            end loop;
          end $$
          """
              .formatted(files));
      execute(admin, "CHECKPOINT"); // the files before this one are used again after it
    } catch (SQLException e) {
      throw new IllegalStateException("cannot lay out the log of PostgreSQL", e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres launch(
      Path data, int port, Path log, Map<String, String> settings) throws IOException {
    var output = ProcessBuilder.Redirect.appendTo(log.toFile());
    var builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setOverrideWorkingDirectory(PostgresLeftovers.binaries().toFile())
            .setDataDirectoryCustomizer(LocalPostgres::restrictLogins)
            .setLocaleConfig("locale", "C")
            .setRegisterShutdownHook(false)
            .setPGStartupWait(CRASH_RECOVERY)
            .setOutputRedirector(output)
            .setErrorRedirector(output)
            .setPort(port);
    SETTINGS.forEach(builder::setServerConfig);
    settings.forEach(builder::setServerConfig);
    return builder.start();
  }

  private static void restrictLogins(File data) {
    try {
      Files.writeString(data.toPath().resolve("pg_hba.conf"), WHO_MAY_CONNECT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void createSluice() throws SQLException {
    try (Connection template = server.getTemplateDatabase().getConnection()) {
      execute(template, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    }
    try (Connection admin = server.getPostgresDatabase().getConnection()) {
      if (!exists(admin, "SELECT 1 FROM pg_roles WHERE rolname = 'sluice'")) {
        execute(admin, "CREATE ROLE sluice LOGIN REPLICATION CREATEDB PASSWORD 'sluice'");
        execute(admin, "GRANT pg_monitor, pg_signal_backend TO sluice");
      }
      if (!exists(admin, "SELECT 1 FROM pg_database WHERE datname = 'sluice'")) {
        createDatabase(NAME);
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean exists(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      return rows.next();
    }
  }
}
