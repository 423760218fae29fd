package dev.sluice.ingest;

import static dev.sluice.ingest.CatalogueTest.fields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What holds work back, how it is set, and how it is told. */
class FlowTest {
  private static final String TYPE = "\"workflowType\":\"Report\",\"taskQueue\":\"reports\"";

  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  void aPlanHasAWeightThatStaysUntilItIsChanged() {
    assertThat(plan("{\"limit\":3}").get("weight").asInt()).isEqualTo(1);
    assertThat(plan("{\"limit\":3,\"weight\":7}").get("weight").asInt()).isEqualTo(7);
    assertThat(plan("{\"limit\":4}").get("weight").asInt()).isEqualTo(7);
    assertThat(ingest.get("/v1/plans").response().body())
        .contains("{\"id\":\"WEIGHED\",\"limit\":4,\"weight\":7}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "plans/X                  | {'limit':-1}                                        | limit",
        "plans/X                  | {'limit':1,'weight':0}                              | weight",
        "plans/X                  | {'limit':1,'weight':1001}                           | weight",
        "workspaces/x             | {'plan':'FREE','limit':-1}                          | limit",
        "workspaces/x             | {'plan':'FREE','startsPerSecond':0}                 |"
            + " startsPerSecond",
        "workspaces/x             | {'plan':'FREE','startsPerSecond':'1'}               |"
            + " startsPerSecond",
        "workspaces/x             | {'plan':'FREE','startsPerSecond':10001}             |"
            + " startsPerSecond",
        "workspaces/x             | {'plan':'FREE','burst':2}                           | burst",
        "workspaces/x             | {'plan':'FREE','startsPerSecond':1,'burst':0}       | burst",
        "workspaces/x             | {'plan':'FREE','backlogLimit':-1}                   |"
            + " backlogLimit",
        "workspaces/x             | {'plan':'FREE','backlogLimit':100000001}            |"
            + " backlogLimit",
        "limits                   | {'limit':-1}                                        | limit",
        "limits                   | {'limit':'many'}                                    | limit",
        "workspaces/x/definitions/d | {'workflowType':'A','taskQueue':'q','collision':'fight'} |"
            + " collision",
        "workspaces/x/definitions/d | {'workflowType':'A','taskQueue':'q','backoff':1}         |"
            + " backoff",
        "workspaces/x/definitions/d |"
            + " {'workflowType':'A','taskQueue':'q','backoff':{'first':'PT1S'}} | backoff.longest",
        "workspaces/x/definitions/d |"
            + " {'workflowType':'A','taskQueue':'q','backoff':{'first':'PT2S','longest':'PT1S'}} |"
            + " backoff.first",
      })
  void aMistakeIsRefusedByName(String path, String body, String field) {
    assertThat(fields(ingest.put("/v1/" + path.strip(), body.replace('\'', '"'))))
        .containsExactly(field);
  }

  @Test
  void aPutOfAWorkspaceReplacesAllOfItsLimits() {
    String path = "/v1/workspaces/" + ingest.workspace("PRO");
    var put =
        ingest.put(
            path, "{\"plan\":\"PRO\",\"startsPerSecond\":0.5,\"burst\":3,\"backlogLimit\":1000}");
    assertThat(put.status()).as(put.response().body()).isEqualTo(200);
    JsonNode shown = ingest.get(path).json();
    assertThat(shown.get("startsPerSecond").asDouble()).isEqualTo(0.5);
    assertThat(shown.get("burst").asInt()).isEqualTo(3);
    assertThat(shown.get("backlogLimit").asInt()).isEqualTo(1000);

    ingest.put(path, "{\"plan\":\"PRO\"}");
    assertThat(ingest.get(path).json().propertyNames())
        .doesNotContain("startsPerSecond", "burst", "backlogLimit");
  }

  @Test
  void aWorkspaceCountsWhatWaitsByWhatFor() {
    String ws = ingest.workspace("FREE");
    rows.running(ws);
    rows.pending(ws);
    rows.pending(ws);
    delayed(ws, "not_before = '2999-01-01Z'");
    delayed(ws, "attempts = 1");
    parked(ws, "partition", ", partition_key = 'k'");
    parked(ws, "definition", "");
    parked(ws, "limit", ", parked_key = 'u', parked_max = 1");
    parked(ws, "paused", "");
    JsonNode shown = ingest.get("/v1/workspaces/" + ws).json();
    assertThat(shown.get("waiting").asInt()).isEqualTo(8);
    assertThat(shown.get("waitingFor").toString())
        .isEqualTo(
            "{\"backoff\":1,\"capacity\":2,\"definition-limit\":1,\"limit\":1,\"not-before\":1,"
                + "\"partition\":1,\"paused\":1}");

    ingest.post("/v1/workspaces/" + ws + "/pause");
    assertThat(ingest.get("/v1/workspaces/" + ws).json().get("waitingFor").toString())
        .isEqualTo("{\"backoff\":1,\"not-before\":1,\"paused\":6}");
  }

  @Test
  void aDefinitionSaysWhatItDoesAboutCollisionsAndRefusalsWithoutAnotherVersion() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/definitions/report";
    JsonNode usual = ingest.get(path).json();
    assertThat(usual.get("collision").asString()).isEqualTo("queue");
    assertThat(usual.has("backoff")).isFalse();
    assertThat(usual.get("paused").asBoolean()).isFalse();

    ingest.put(
        path,
        "{%s,\"collision\":\"replace-waiting\",\"backoff\":{\"first\":\"PT2S\",\"longest\":\"PT1M\"}}"
            .formatted(TYPE));
    JsonNode changed = ingest.get(path).json();
    assertThat(changed.get("version").asInt()).isEqualTo(1);
    assertThat(changed.get("collision").asString()).isEqualTo("replace-waiting");
    assertThat(changed.get("backoff").toString())
        .isEqualTo("{\"first\":\"PT2S\",\"longest\":\"PT1M\"}");
    for (String strategy : new String[] {"queue", "reject", "cancel-running"}) {
      assertThat(
              ingest
                  .put(path, "{%s,\"collision\":\"%s\"}".formatted(TYPE, strategy))
                  .json()
                  .get("collision")
                  .asString())
          .isEqualTo(strategy);
    }
  }

  @Test
  void aDefinitionIsPausedAndResumedByItselfAndItsOwnerIsTold() {
    String ws = ingest.workspace("PRO");
    String path = "/v1/workspaces/" + ws + "/definitions/report";
    UUID id = rows.pending(ws);
    try (var signals = new RequestTopic(Topics.SIGNALS)) {
      var paused =
          ingest.post(path + "/pause", "{\"until\":\"2999-01-01T00:00:00Z\",\"reason\":\"bad\"}");
      assertThat(paused.json().get("paused").asBoolean()).isTrue();
      assertThat(paused.json().get("pausedUntil").asString()).isEqualTo("2999-01-01T00:00:00Z");
      assertThat(paused.json().get("pauseReason").asString()).isEqualTo("bad");
      assertThat(SignalCodec.decode(signals.await(ws, 1).getFirst()))
          .contains(new Signal.CapacityChanged(ws));
      assertThat(waitingFor(id, "paused"))
          .isEqualTo("definition report is paused until 2999-01-01T00:00:00Z: bad");
      ingest.put(path, "{%s}".formatted(TYPE));
      assertThat(ingest.get(path).json().get("paused").asBoolean()).isTrue();

      var resumed = ingest.post(path + "/resume", "{\"reason\":\"mended\"}");
      assertThat(resumed.json().get("paused").asBoolean()).isFalse();
      assertThat(resumed.json().has("pauseReason")).isFalse();
      assertThat(signals.await(ws, 3)).hasSize(3);
    }
    assertThat(fields(ingest.post(path + "/pause", "{\"until\":\"2001-01-01T00:00:00Z\"}")))
        .containsExactly("until");
    String none = "/v1/workspaces/" + ws + "/definitions/none";
    assertThat(ingest.post(none + "/pause").status()).isEqualTo(404);
    assertThat(ingest.post(none + "/resume").status()).isEqualTo(404);
  }

  @Test
  void theLimitOfAllWorkspacesIsSetLiftedAndToldToEveryPartition() {
    try (var own = Ingest.start(TestStack.shared().freshDatabase("limits"));
        var signals = new RequestTopic(Topics.SIGNALS)) {
      var ownRows = new Rows(own);
      assertThat(own.get("/v1/limits").response().body()).isEqualTo("{\"held\":0}");
      String ws = own.workspace("PRO");
      ownRows.running(ws);
      UUID waits = ownRows.pending(ws);
      assertThat(own.put("/v1/limits", "{\"limit\":1}").response().body())
          .isEqualTo("{\"limit\":1,\"held\":1}");
      assertThat(signals.await("*", 12)).hasSizeGreaterThanOrEqualTo(12);
      JsonNode why = own.get("/v1/executions/" + waits).json().get("waitingFor");
      assertThat(why.get("kind").asString()).isEqualTo("global-limit");
      assertThat(why.get("detail").asString())
          .isEqualTo("1 of 1 executions open in all workspaces together");
      assertThat(own.get("/v1/workspaces/" + ws).json().get("waitingFor").toString())
          .isEqualTo("{\"global-limit\":1}");
      assertThat(own.put("/v1/limits", "{\"limit\":null}").response().body())
          .isEqualTo("{\"held\":1}");
    }
  }

  @Test
  @Tag("Q27")
  void aCallersOwnCapsAreShownAndNamedAsTheReason() {
    String ws = ingest.workspace("PRO");
    String caps = "limit_keys = array['user:42', 'eu'], limit_maxes = array[1, 9]";
    rows.dispatch(rows.pending(ws, ExecutionIds.mint(), caps));
    UUID id =
        rows.pending(
            ws,
            ExecutionIds.mint(),
            caps
                + ", gate = 'parked', parked_on = 'limit', parked_key = 'user:42', parked_max = 1");
    assertThat(waitingFor(id, "limit")).isEqualTo("1 of 1 executions with key user:42 open");
    assertThat(get(id).get("limits").toString())
        .isEqualTo("[{\"key\":\"user:42\",\"max\":1},{\"key\":\"eu\",\"max\":9}]");
    var listed = ingest.get("/v1/workspaces/" + ws + "/executions?status=PENDING").json();
    assertThat(listed.at("/items/0/waitingFor/kind").asString()).isEqualTo("limit");
  }

  @Test
  void aSpentStartRateIsTheReasonWhereSlotsAreFree() {
    String ws = ingest.workspace("PRO");
    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"PRO\",\"startsPerSecond\":0.01}");
    UUID id = rows.pending(ws);
    assertThat(waitingFor(id, "capacity")).startsWith("0 of 5");
    ingest
        .jdbc()
        .sql("insert into start_bucket (workspace_id, tokens, filled_at) values (:ws, 0, now())")
        .param("ws", ws)
        .update();
    assertThat(waitingFor(id, "start-rate"))
        .startsWith("at most 0.01 starts per second, the next in ");
    assertThat(ingest.get("/v1/workspaces/" + ws).json().get("waitingFor").toString())
        .isEqualTo("{\"start-rate\":1}");
  }

  @Test
  @Tag("P4")
  void whatIsClaimedSaysByWhomAndSinceWhenItWaitsForTemporal() {
    String ws = ingest.workspace("PRO");
    UUID claimed = rows.claimed(ws);
    UUID behind = rows.pending(ws);
    UUID owner = UUID.randomUUID();
    update(claimed, "claim_owner = '" + owner + "'");
    assertThat(waitingFor(claimed, "temporal")).startsWith("starts wait for Temporal since ");
    assertThat(get(claimed).get("claimedBy").asString()).isEqualTo(owner.toString());
    assertThat(get(claimed).has("claimedAt")).isTrue();
    assertThat(waitingFor(behind, "capacity")).startsWith("1 of 5 slots held");

    // The claim is renewed for as long as Temporal is asked; the slot says since when.
    ingest
        .jdbc()
        .sql("update workflow_execution set started_at = '2026-01-01Z' where id = :id")
        .param("id", claimed)
        .update();
    assertThat(waitingFor(behind, "temporal"))
        .isEqualTo("starts wait for Temporal since 2026-01-01T00:00:00Z");
    assertThat(waitingFor(claimed, "temporal")).endsWith("since 2026-01-01T00:00:00Z");
    assertThat(get(behind).has("estimatedStart")).isFalse();
  }

  @Test
  void anEstimateSaysWhatItIsComputedFrom() {
    String ws = ingest.workspace("FREE");
    rows.running(ws);
    rows.pending(ws);
    UUID second = rows.pending(ws);
    assertThat(get(second).has("estimatedStart")).isFalse();

    rows.ran(ws, 20);
    rows.ran(ws, 40);
    JsonNode estimate = get(second).get("estimatedStart");
    assertThat(estimate.get("basis").asString())
        .isEqualTo("mean of the last 2 executions is 30.0 s, 1 slots, position 2");
    assertThat(Duration.between(Instant.now(), Instant.parse(estimate.get("at").asString())))
        .isBetween(Duration.ofSeconds(45), Duration.ofSeconds(61));

    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\",\"startsPerSecond\":0.01}");
    estimate = get(second).get("estimatedStart");
    assertThat(estimate.get("basis").asString())
        .isEqualTo(
            "mean of the last 2 executions is 30.0 s, 1 slots, position 2, 0.01 starts per second");
    assertThat(Duration.between(Instant.now(), Instant.parse(estimate.get("at").asString())))
        .isBetween(Duration.ofSeconds(185), Duration.ofSeconds(201));

    UUID later = delayed(ws, "not_before = '2999-01-01Z'");
    assertThat(get(later).has("estimatedStart")).isFalse();
    ingest.post("/v1/workspaces/" + ws + "/pause");
    assertThat(get(second).has("estimatedStart")).isFalse();
    ingest.post("/v1/workspaces/" + ws + "/resume");
    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\",\"limit\":0}");
    assertThat(get(second).has("estimatedStart")).isFalse();
  }

  @Test
  @Tag("L6")
  void whatWasAskedToStopSaysUntilWhen() {
    UUID id = rows.running(ingest.workspace("FREE"));
    update(id, "cancel_requested_at = now(), terminate_at = '2999-01-01Z'");
    assertThat(get(id).get("terminateAt").asString()).isEqualTo("2999-01-01T00:00:00Z");
  }

  private JsonNode plan(String body) {
    return ingest.put("/v1/plans/WEIGHED", body).json();
  }

  private UUID delayed(String ws, String more) {
    return rows.pending(
        ws, ExecutionIds.mint(), more + ", gate = 'delayed', ready_at = '2999-01-01Z'");
  }

  private void parked(String ws, String on, String more) {
    rows.pending(ws, ExecutionIds.mint(), "gate = 'parked', parked_on = '" + on + "'" + more);
  }

  private void update(UUID id, String what) {
    ingest
        .jdbc()
        .sql("update workflow_execution_queue set " + what + " where id = :id")
        .param("id", id)
        .update();
  }

  private JsonNode get(UUID id) {
    var answer = ingest.get("/v1/executions/" + id);
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
    return answer.json();
  }

  private String waitingFor(UUID id, String kind) {
    JsonNode waiting = get(id).get("waitingFor");
    assertThat(waiting.get("kind").asString()).as(waiting.toString()).isEqualTo(kind);
    return waiting.get("detail").asString();
  }
}
