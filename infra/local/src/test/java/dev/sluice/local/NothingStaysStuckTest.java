package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that a hand left behind, seen from outside. The dispatcher listens to no workflow and its
 * own sweep does not come, so that recovery-service alone can help.
 */
@Tag("Q15")
class NothingStaysStuckTest {
  private static final String DEFINITION =
      """
      {"graph": {"nodes": [{"id": "only", "type": "set", "config": {"values": {"rows": 42}}}], "edges": []}}
      """;

  private static final String INSERT_ITEM =
      """
      insert into workflow_execution_queue
        (id, workspace_id, definition_id, definition_version, state, priority, input, %s)
      values ('%s', '%s', 'job', 1, '%s', 5, '{}', %s)
      """;

  /** With the sweep at its default of a minute, 75 s. */
  private static final Duration MENDED = Duration.ofSeconds(60);

  @TempDir static Path folder;
  private static LocalProcess up;
  private static String api;
  private static Connection database;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    up =
        LocalProcess.start(
            folder.resolve("up.out"),
            "up",
            folder.resolve("data"),
            Map.of(
                "SLUICE_INTAKE_SWEEPEVERY", "1h",
                "SLUICE_FINISH_LONGPOLLS", "0",
                "SLUICE_RECOVERY_STUCK_SWEEP", "2s",
                "SLUICE_RECOVERY_RECONCILE_EVERY", "2s",
                "SLUICE_RECOVERY_RECONCILE_QUIET", "1s"));
    String ready = up.awaitReady();
    api = LocalProcess.address(ready, "ingest") + "/v1/";
    String server = LocalProcess.address(ready, "postgres").replaceFirst(".*@", "");
    database = DriverManager.getConnection("jdbc:postgresql://" + server, "sluice", "sluice");
  }

  @AfterAll
  static void stop() throws Exception {
    HTTP.close();
    if (database != null) {
      database.close();
    }
    up.terminate();
    up.exitCode();
  }

  @Test
  void aClaimThatNobodyOwnsIsFinishedByItself() throws Exception {
    workspace("claimed");
    UUID id =
        item(
            "claimed",
            "CLAIMED",
            "claim_token, claimed_at",
            "gen_random_uuid(), now() - interval '1 hour'");
    UUID next = enqueue("claimed");
    assertThat(closed(id)).contains("\"redrives\":1", "COMPLETED");
    assertThat(closed(next)).contains("COMPLETED");
  }

  @Test
  void aSlotThatNothingHoldsIsFreed() throws Exception {
    workspace("stray");
    UUID waiting = heldItem("stray", "PENDING", "gate", "'ready'");
    UUID next = enqueue("stray");
    assertThat(closed(waiting)).contains("COMPLETED");
    assertThat(closed(next)).contains("COMPLETED");
  }

  @Test
  void aWorkflowThatTemporalDoesNotKnowGivesItsSlotBack() throws Exception {
    workspace("lost");
    UUID lost = heldItem("lost", "DISPATCHED", "dispatched_at, run_id", "now(), 'none'");
    UUID next = enqueue("lost");
    assertThat(closed(next)).contains("COMPLETED");
    assertThat(closed(lost)).contains("NOT_FOUND");
  }

  private static void workspace(String name) throws Exception {
    assertThat(send("PUT", "workspaces/" + name, "{\"plan\": \"FREE\"}")).contains(name);
    assertThat(send("PUT", "workspaces/" + name + "/definitions/job", DEFINITION)).contains("job");
  }

  private static UUID enqueue(String workspace) throws Exception {
    String accepted =
        send("POST", "workspaces/" + workspace + "/executions", "{\"definitionId\": \"job\"}");
    return UUID.fromString(accepted.replaceFirst("(?s).*\"id\" *: *\"([^\"]+)\".*", "$1"));
  }

  private static String closed(UUID id) throws Exception {
    return send("GET", "executions/" + id + "?wait=" + MENDED, "");
  }

  private static String send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(api + path))
            .header("content-type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static UUID item(String workspace, String state, String columns, String values)
      throws SQLException {
    UUID id = UUID.randomUUID();
    update(INSERT_ITEM.formatted(columns, id, workspace, state, values));
    return id;
  }

  /** An item and a slot it holds, in one statement: a sweep must never meet the item without it. */
  private static UUID heldItem(String workspace, String state, String columns, String values)
      throws SQLException {
    UUID id = UUID.randomUUID();
    update(
        """
        with item as (%s returning id, workspace_id, definition_id, definition_version)
        insert into workflow_execution (id, workspace_id, definition_id, definition_version)
        select id, workspace_id, definition_id, definition_version from item
        """
            .formatted(INSERT_ITEM.formatted(columns, id, workspace, state, values)));
    return id;
  }

  private static void update(String sql) throws SQLException {
    try (var statement = database.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }
}
