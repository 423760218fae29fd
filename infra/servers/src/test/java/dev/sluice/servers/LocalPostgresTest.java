package dev.sluice.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPostgresTest {
  @TempDir Path folder;

  @Test
  void rowsAreKeptOverARestartAndOverAServerLeftBehind() throws Exception {
    Path data = folder.resolve("postgres");
    try (var postgres = LocalPostgres.start(data, 0)) {
      execute(postgres.dataSource(), "CREATE TABLE kept AS SELECT 'first' AS value");
    }
    var leftBehind = LocalPostgres.start(data, 0);
    execute(leftBehind.dataSource(), "INSERT INTO kept VALUES ('second')");
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
    ProcessHandle orphan = ProcessHandle.of(pid).orElseThrow();
    // What a killed JVM does: its locks go, the server stays.
    Files.delete(data.resolve("epg-lock"));
    try (var postgres = LocalPostgres.start(data, leftBehind.port())) {
      assertThat(orphan.isAlive()).isFalse();
      assertThat(value(postgres.dataSource(), "SELECT string_agg(value, ' ') FROM kept"))
          .isEqualTo("first second");
    }
  }

  @Test
  void aStartThatWasKilledBeforeTheFolderWasCompleteBeginsAgain() throws Exception {
    Path data = Files.createDirectories(folder.resolve("postgres"));
    Files.writeString(data.resolve("postgresql.conf"), "half = ");
    Files.writeString(folder.resolve("postgres.setup"), "");
    try (var postgres = LocalPostgres.start(data, 0)) {
      assertThat(value(postgres.dataSource(), "SELECT 1")).isEqualTo("1");
    }
    assertThat(folder.resolve("postgres.setup")).doesNotExist();
  }

  @Test
  void whatIsCommittedIsOnDiskAndCanBeStreamed() throws Exception {
    var database = TestStack.shared().postgres().dataSource();
    var expected =
        Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "wal_level", "logical",
            "max_slot_wal_keep_size", "1GB");
    for (var setting : expected.entrySet()) {
      assertThat(value(database, "SHOW " + setting.getKey()))
          .as(setting.getKey())
          .isEqualTo(setting.getValue());
    }
  }

  @Test
  void filesOfTheLogCanBeThereBeforeTheyAreNeeded() throws Exception {
    var postgres = TestStack.shared().postgres();
    postgres.layOutLog(3);
    try (var admin = DriverManager.getConnection(postgres.jdbcUrl("postgres"), "postgres", "");
        var rows =
            admin
                .createStatement()
                .executeQuery(
                    "select count(*) from pg_ls_waldir() where name >"
                        + " pg_walfile_name(pg_current_wal_lsn())")) {
      rows.next();
      assertThat(rows.getInt(1)).as("files ahead").isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void statementsAreCountedInEveryDatabase() throws Exception {
    var stack = TestStack.shared();
    String url = stack.freshDatabase("Counted-Statements");
    try (var connection = DriverManager.getConnection(url, "sluice", "sluice");
        var rows =
            connection.createStatement().executeQuery("SELECT count(*) FROM pg_stat_statements")) {
      assertThat(rows.next()).isTrue();
    }
    assertThat(stack.freshDatabase("Counted-Statements")).isNotEqualTo(url);
  }

  @Test
  void aWrongPasswordIsRefused() {
    String url = TestStack.shared().postgres().jdbcUrl();
    assertThatThrownBy(() -> DriverManager.getConnection(url, "sluice", "wrong").close())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void aTakenPortIsSaidInASentence() {
    int port = TestStack.shared().postgres().port();
    assertThatThrownBy(() -> LocalPostgres.start(folder.resolve("postgres"), port))
        .isInstanceOf(CannotStart.class)
        .hasMessage(
            "Port %d is taken, so PostgreSQL cannot listen there; stop the program that has it or"
                + " choose another with SLUICE_POSTGRES_PORT.",
            port);
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String value(DataSource database, String query) throws SQLException {
    try (var connection = database.getConnection();
        var rows = connection.createStatement().executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
