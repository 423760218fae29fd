package dev.sluice.ingest;

import static dev.sluice.ingest.CatalogueTest.fields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class StatusTest {
  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  @Tag("Q1")
  void anExecutionIsShownFromAcceptanceToItsResult() {
    String ws = ingest.workspace("FREE");
    UUID id = rows.pending(ws, ExecutionIds.mint(), "priority = 3, redrives = 2, parent_id = 'p'");
    JsonNode pending = get(id);
    assertThat(pending.get("status").asString()).isEqualTo("PENDING");
    assertThat(pending.get("definitionId").asString()).isEqualTo("report");
    assertThat(pending.get("definitionVersion").asInt()).isEqualTo(1);
    assertThat(pending.get("priority").asInt()).isEqualTo(3);
    assertThat(pending.get("redrives").asInt()).isEqualTo(2);
    assertThat(pending.get("parentId").asString()).isEqualTo("p");
    assertThat(pending.get("acceptedAt").asString()).endsWith("Z");
    assertThat(pending.has("workflow")).isFalse();
    assertThat(pending.toString()).doesNotContain("null", "secret");

    rows.dispatch(id);
    JsonNode running = get(id);
    assertThat(running.get("status").asString()).isEqualTo("DISPATCHED");
    assertThat(running.get("workflow").toString())
        .isEqualTo(
            "{\"workflowId\":\"execution-%s\",\"runId\":\"run-1\",\"status\":\"RUNNING\"}"
                .formatted(id));
    assertThat(running.has("waitingFor")).isFalse();

    rows.close(id, "COMPLETED", "{\"sum\":1.10}");
    JsonNode closed = get(id);
    assertThat(closed.at("/workflow/status").asString()).isEqualTo("COMPLETED");
    assertThat(closed.at("/workflow/result").toString()).isEqualTo("{\"sum\":1.10}");
    assertThat(closed.has("closedAt")).isTrue();
  }

  @Test
  void aFailureSaysItsReason() {
    UUID id = rows.pending(ingest.workspace("FREE"));
    rows.fail(id);
    assertThat(get(id).get("failure").toString())
        .isEqualTo("{\"code\":\"START_REJECTED\",\"message\":\"no\"}");
  }

  @Test
  void whatWaitsSaysWhatForAndWhereItStands() {
    String ws = ingest.workspace("FREE");
    rows.running(ws);
    rows.pending(ws);
    UUID second = rows.pending(ws);
    UUID first = rows.pending(ws, ExecutionIds.mint(), "priority = 0");
    assertThat(waitingFor(second, "capacity")).startsWith("1 of 1 slots held, the oldest since ");
    assertThat(get(second).get("position").asInt()).isEqualTo(3);
    assertThat(get(first).get("position").asInt()).isEqualTo(1);

    UUID later =
        rows.pending(
            ws,
            ExecutionIds.mint(),
            "not_before = '2999-01-01Z', gate = 'delayed', ready_at = '2999-01-01Z'");
    assertThat(waitingFor(later, "not-before")).contains("2999-01-01T00:00:00Z");
    UUID refused =
        rows.pending(
            ws, ExecutionIds.mint(), "attempts = 1, gate = 'delayed', ready_at = '2999-01-01Z'");
    assertThat(waitingFor(refused, "backoff")).contains("start 1");
    UUID behind =
        rows.pending(
            ws,
            ExecutionIds.mint(),
            "gate = 'parked', parked_on = 'partition', partition_key = 'disk-1'");
    assertThat(waitingFor(behind, "partition")).contains("disk-1");
    assertThat(get(behind).has("position")).isFalse();

    ingest.post("/v1/workspaces/" + ws + "/pause", "{\"reason\":\"invoice\"}");
    assertThat(waitingFor(second, "paused")).isEqualTo("the workspace is paused: invoice");
  }

  @Test
  void aFullDefinitionIsTheReasonWhereItHasALimit() {
    String ws = ingest.workspace("PRO");
    ingest.put(
        "/v1/workspaces/" + ws + "/definitions/report",
        "{\"workflowType\":\"Report\",\"taskQueue\":\"reports\",\"limit\":1}");
    rows.running(ws);
    UUID id = rows.pending(ws, ExecutionIds.mint(), "gate = 'parked', parked_on = 'definition'");
    assertThat(waitingFor(id, "definition-limit"))
        .isEqualTo("1 of 1 slots of definition report held");
  }

  @Test
  @Tag("P2")
  void aListIsPagedNewestFirstAndFiltered() {
    String ws = ingest.workspace("FREE");
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      ids.add(rows.pending(ws).toString());
    }
    rows.fail(UUID.fromString(ids.get(1)));
    String path = "/v1/workspaces/" + ws + "/executions";

    JsonNode page = ingest.get(path + "?limit=2").json();
    assertThat(listed(page)).containsExactly(ids.get(4), ids.get(3));
    JsonNode next = ingest.get(path + "?limit=3&after=" + page.get("next").asString()).json();
    assertThat(listed(next)).containsExactly(ids.get(2), ids.get(1), ids.get(0));
    assertThat(next.has("next")).isFalse();
    assertThat(listed(ingest.get(path + "?status=FAILED").json())).containsExactly(ids.get(1));
    assertThat(listed(ingest.get(path + "?definitionId=other").json())).isEmpty();
    assertThat(listed(ingest.get(path + "?definitionId=report&status=PENDING").json())).hasSize(4);

    assertThat(fields(ingest.get(path + "?limit=201"))).containsExactly("limit");
    assertThat(fields(ingest.get(path + "?status=LOST"))).containsExactly("status");
    assertThat(fields(ingest.get(path + "?after=me"))).containsExactly("after");
    assertThat(ingest.get("/v1/workspaces/nobody/executions").status()).isEqualTo(404);
  }

  @Test
  void anIdMintedMomentsAgoIsAcceptedAndOnceItIsARowShown() throws Exception {
    Rows.everythingIsRead();
    UUID id = ExecutionIds.mint();
    assertThat(get(id).toString())
        .isEqualTo("{\"id\":\"%s\",\"status\":\"ACCEPTED\"}".formatted(id));
    rows.pending(ingest.workspace("FREE"), id, "");
    assertThat(get(id).get("status").asString()).isEqualTo("PENDING");
  }

  @Test
  void aKeyedIdIsAcceptedForAsLongAsItMayLieInKafkaAndThenUnknown() throws Exception {
    Rows.everythingIsRead();
    String ws = ingest.workspace("FREE");
    UUID id = ExecutionIds.ofKey(ws, "k");
    Rows.everythingIsRead();
    assertThat(ingest.get("/v1/executions/" + id).status()).isEqualTo(404);

    ingest.post(
        "/v1/workspaces/" + ws + "/executions",
        "{\"definitionId\":\"report\",\"idempotencyKey\":\"k\"}");
    // At once: the reading that said "nothing unread" a moment ago must not be trusted.
    assertThat(get(id).get("status").asString()).isEqualTo("ACCEPTED");

    Rows.everythingIsRead();
    org.awaitility.Awaitility.await()
        .until(() -> ingest.get("/v1/executions/" + id).status() == 404);
  }

  @Test
  void anIdNobodyCanHaveBeenGivenIsUnknownAtOnce() {
    assertThat(ingest.get("/v1/executions/" + UUID.randomUUID()).status()).isEqualTo(404);
    assertThat(fields(ingest.get("/v1/executions/1-1-1-1-1"))).containsExactly("id");
    assertThat(fields(ingest.get("/v1/executions/" + UUID.randomUUID() + "?wait=PT61S")))
        .containsExactly("wait");
  }

  @Test
  @Tag("L6")
  void aCancelIsSentToTheOwnerUnlessItHasEnded() {
    String ws = ingest.workspace("FREE");
    UUID id = rows.pending(ws);
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      var answer =
          ingest.post(
              "/v1/executions/" + id + "/cancel",
              "{\"reason\":\"typo\",\"terminateAfter\":\"PT30S\"}");
      assertThat(answer.status()).isEqualTo(202);
      var published = topic.await(ws, 1).getFirst();
      var event = CloudEvents.fromRecord(published);
      assertThat(event.getType()).isEqualTo(EventTypes.CANCEL_REQUESTED);
      assertThat(RequestParser.cancel(published.value()))
          .isInstanceOfSatisfying(
              Parsed.Valid.class,
              valid ->
                  assertThat(valid.value())
                      .hasToString(
                          "CancelRequest[workspaceId=%s, id=%s, reason=typo, terminateAfter=PT30S]"
                              .formatted(ws, id)));
    }
    assertThat(
            fields(
                ingest.post("/v1/executions/" + id + "/cancel", "{\"terminateAfter\":\"-PT1S\"}")))
        .containsExactly("terminateAfter");
    rows.fail(id);
    assertThat(ingest.post("/v1/executions/" + id + "/cancel").status()).isEqualTo(409);
    assertThat(ingest.post("/v1/executions/" + UUID.randomUUID() + "/cancel").status())
        .isEqualTo(404);
  }

  @Test
  @Tag("T2")
  void aRetryKeepsTheIdOfWhatNeverStartedAndGivesAnotherToWhatDid() {
    String ws = ingest.workspace("PRO");
    UUID failed = rows.pending(ws);
    UUID closed = rows.running(ws);
    assertThat(ingest.post("/v1/executions/" + failed + "/retry").status()).isEqualTo(409);
    assertThat(ingest.post("/v1/executions/" + closed + "/retry").status()).isEqualTo(409);
    rows.fail(failed);
    rows.close(closed, "TERMINATED", "null");
    try (var signals = new RequestTopic(Topics.SIGNALS)) {
      var same = ingest.post("/v1/executions/" + failed + "/retry", "{\"reason\":\"fixed\"}");
      assertThat(same.status()).isEqualTo(202);
      assertThat(same.json().get("id").asString()).isEqualTo(failed.toString());
      var other = ingest.post("/v1/executions/" + closed + "/retry");
      assertThat(other.header("location"))
          .isEqualTo("/v1/executions/" + other.json().get("id").asString());

      var sent =
          signals.await(ws, 2).stream().map(r -> SignalCodec.decode(r).orElseThrow()).toList();
      assertThat(sent.get(0))
          .isInstanceOfSatisfying(
              Signal.Retry.class,
              retry -> {
                assertThat(retry.id()).isEqualTo(failed);
                assertThat(retry.reason()).isEqualTo("fixed");
              });
      assertThat(sent.get(1))
          .isInstanceOfSatisfying(
              Signal.Retry.class,
              retry ->
                  assertThat(retry.newId().toString())
                      .isEqualTo(other.json().get("id").asString()));
    }
  }

  /** Who holds one connection and asks for a second blocks everybody when all do it at once. */
  @Test
  void noRequestNeedsTwoConnectionsAtATime() throws SQLException {
    String database = TestStack.shared().freshDatabase("one");
    try (var own = Ingest.start(database, "--sluice.database.connections=2")) {
      String ws = own.workspace("FREE");
      UUID id = new Rows(own).pending(ws);
      allButOneTaken(own, ws, id);
    }
  }

  private static void allButOneTaken(Ingest own, String ws, UUID id) throws SQLException {
    try (var taken = own.bean(DataSource.class).getConnection()) {
      assertThat(taken.isClosed()).isFalse();
      assertThat(own.get("/v1/executions/" + id).status()).isEqualTo(200);
      assertThat(own.get("/v1/executions/" + id + "?wait=PT0.1S").status()).isEqualTo(200);
      assertThat(own.get("/v1/workspaces/" + ws + "/executions").status()).isEqualTo(200);
      assertThat(own.get("/v1/workspaces/" + ws).status()).isEqualTo(200);
      assertThat(own.get("/v1/workspaces/" + ws + "/definitions").status()).isEqualTo(200);
      assertThat(own.get("/v1/maintenance").status()).isEqualTo(200);
      assertThat(own.get("/v1/limits").status()).isEqualTo(200);
      assertThat(own.get("/v1/audit").status()).isEqualTo(200);
      assertThat(own.put("/v1/workspaces/" + ws, "{\"plan\":\"PRO\"}").status()).isEqualTo(200);
      assertThat(own.post("/v1/executions/" + id + "/cancel").status()).isEqualTo(202);
      assertThat(own.post("/v1/workspaces/" + ws + "/executions:cancel", "{}").status())
          .isEqualTo(202);
    }
  }

  private JsonNode get(UUID id) {
    var answer = ingest.get("/v1/executions/" + id);
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
    return answer.json();
  }

  private String waitingFor(UUID id, String kind) {
    JsonNode waiting = get(id).get("waitingFor");
    assertThat(waiting.get("kind").asString()).isEqualTo(kind);
    return waiting.get("detail").asString();
  }

  private static List<String> listed(JsonNode page) {
    return page.get("items").valueStream().map(item -> item.get("id").asString()).toList();
  }
}
