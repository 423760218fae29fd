package dev.sluice.ingest;

import static dev.sluice.ingest.CatalogueTest.fields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.servers.TestStack;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AuditTest {
  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  void everyActionOnAWorkspaceIsWrittenDownWithWhoAndWhy() {
    String ws = ingest.workspace("FREE");
    String path = "/v1/workspaces/" + ws;
    UUID waits = rows.pending(ws);
    UUID failed = rows.pending(ws);
    rows.fail(failed);
    send("PUT", path, "{\"plan\":\"PRO\",\"limit\":7,\"reason\":\"upgrade\"}");
    send("POST", path + "/pause", "{\"reason\":\"invoice\",\"until\":\"2999-01-01T00:00:00Z\"}");
    send("POST", path + "/resume", "{\"reason\":\"paid\"}");
    send(
        "PUT",
        path + "/definitions/report",
        "{\"workflowType\":\"Report\",\"taskQueue\":\"other\",\"collision\":\"reject\"}");
    send("POST", path + "/definitions/report/pause", "{}");
    send("POST", path + "/definitions/report/resume", "{}");
    send("POST", "/v1/executions/" + waits + "/cancel", "{\"terminateAfter\":\"PT5S\"}");
    send("POST", "/v1/executions/" + failed + "/retry", "{\"reason\":\"fixed\"}");
    send("POST", path + "/executions:cancel", "{\"status\":\"PENDING\",\"reason\":\"all\"}");
    send("POST", path + "/executions:retry", "{}");

    List<JsonNode> lines = lines("/v1/audit?limit=10&workspaceId=" + ws);
    assertThat(lines.stream().map(line -> line.get("action").asString()))
        .containsExactly(
            "executions.retry",
            "executions.cancel",
            "execution.retry",
            "execution.cancel",
            "definition.resume",
            "definition.pause",
            "definition.put",
            "workspace.resume",
            "workspace.pause",
            "workspace.put");
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.get("actor").asString()).isEqualTo("ops jane");
              assertThat(line.get("workspaceId").asString()).isEqualTo(ws);
              assertThat(line.get("at").asString()).endsWith("Z");
            });
    assertThat(line(lines, "workspace.put").get("detail").toString())
        .isEqualTo("{\"plan\":{\"to\":\"PRO\",\"from\":\"FREE\"},\"limit\":{\"to\":7}}");
    assertThat(line(lines, "workspace.put").get("reason").asString()).isEqualTo("upgrade");
    assertThat(line(lines, "workspace.pause").at("/detail/until").asString())
        .isEqualTo("2999-01-01T00:00:00Z");
    assertThat(line(lines, "definition.put").get("subject").asString()).isEqualTo("report");
    assertThat(line(lines, "definition.put").get("detail").toString())
        .isEqualTo(
            "{\"version\":{\"to\":2,\"from\":1},\"collision\":{\"to\":\"reject\",\"from\":\"queue\"}}");
    assertThat(line(lines, "execution.cancel").get("subject").asString())
        .isEqualTo(waits.toString());
    assertThat(line(lines, "execution.cancel").get("detail").toString())
        .isEqualTo("{\"state\":\"PENDING\",\"terminateAfter\":\"PT5S\"}");
    assertThat(line(lines, "executions.cancel").get("detail").toString())
        .isEqualTo("{\"status\":\"PENDING\",\"matched\":1}");
    assertThat(lines.toString()).doesNotContain("secret");
  }

  @Test
  void whatHoldsForAllIsWrittenDownToo() {
    try (var own = Ingest.start(TestStack.shared().freshDatabase("audit"))) {
      own.put("/v1/plans/NEW", "{\"limit\":2,\"reason\":\"trial\"}");
      own.put("/v1/plans/NEW", "{\"limit\":3}");
      own.put("/v1/limits", "{\"limit\":100}");
      own.post("/v1/maintenance", "{\"mode\":\"drain\",\"reason\":\"upgrade\"}");
      var lines = own.get("/v1/audit").json().get("items").valueStream().toList();
      assertThat(lines.stream().map(line -> line.get("action").asString()))
          .containsExactly("maintenance.set", "limits.put", "plan.put", "plan.put");
      assertThat(lines.get(0).get("detail").toString())
          .isEqualTo("{\"mode\":{\"to\":\"drain\",\"from\":\"normal\"}}");
      assertThat(lines.get(0).get("reason").asString()).isEqualTo("upgrade");
      assertThat(lines.get(1).get("detail").toString()).isEqualTo("{\"limit\":{\"to\":100}}");
      assertThat(lines.get(2).get("detail").toString())
          .isEqualTo("{\"limit\":{\"to\":3,\"from\":2}}");
      assertThat(lines.get(2).get("actor").asString()).isEqualTo("anonymous");
      assertThat(lines.get(3).get("subject").asString()).isEqualTo("NEW");
      assertThat(lines.get(3).has("workspaceId")).isFalse();
    }
  }

  @Test
  void whatWasRefusedIsNotWrittenDown() {
    String ws = ingest.workspace("FREE");
    int before = lines("/v1/audit?workspaceId=" + ws).size();
    UUID failed = rows.pending(ws);
    rows.fail(failed);
    assertThat(ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"NOPE\"}").status()).isEqualTo(422);
    assertThat(ingest.post("/v1/executions/" + failed + "/cancel").status()).isEqualTo(409);
    ingest.post("/v1/workspaces/" + ws + "/pause", "{\"until\":\"2001-01-01T00:00:00Z\"}");
    ingest.post("/v1/workspaces/" + ws + "/executions:cancel", "{\"dryRun\":true}");
    assertThat(lines("/v1/audit?workspaceId=" + ws)).hasSize(before);
  }

  @Test
  void linesArePagedAndAnActorMustBePlain() {
    String ws = ingest.workspace("FREE");
    JsonNode page = ingest.get("/v1/audit?limit=1&workspaceId=" + ws).json();
    assertThat(page.at("/items/0/action").asString()).isEqualTo("definition.put");
    JsonNode next =
        ingest
            .get("/v1/audit?workspaceId=%s&after=%s".formatted(ws, page.get("next").asString()))
            .json();
    assertThat(next.at("/items/0/action").asString()).isEqualTo("workspace.put");
    assertThat(next.has("next")).isFalse();

    assertThat(fields(ingest.get("/v1/audit?after=x"))).containsExactly("after");
    assertThat(fields(ingest.get("/v1/audit?limit=0"))).containsExactly("limit");
    assertThat(fields(ingest.get("/v1/audit?workspaceId=a%20b"))).containsExactly("workspaceId");
    for (String actor : new String[] {"x".repeat(101), "", "a\tb"}) {
      assertThat(fields(as(actor, "POST", "/v1/workspaces/" + ws + "/pause", "{}")))
          .containsExactly("X-Sluice-Actor");
    }
  }

  private void send(String method, String path, String body) {
    var answer = as("ops jane", method, path, body);
    assertThat(answer.status()).as(answer.response().body()).isIn(200, 202);
  }

  private Ingest.Answer as(String actor, String method, String path, String body) {
    return ingest.send(
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .header("X-Sluice-Actor", actor)
            .method(method, BodyPublishers.ofString(body)),
        path);
  }

  private List<JsonNode> lines(String path) {
    return ingest.get(path).json().get("items").valueStream().toList();
  }

  private static JsonNode line(List<JsonNode> lines, String action) {
    return lines.stream()
        .filter(line -> line.get("action").asString().equals(action))
        .findFirst()
        .orElseThrow();
  }
}
