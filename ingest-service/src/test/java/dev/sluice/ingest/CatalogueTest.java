package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  @Tag("Q5")
  void thePlansOfTheBeginningAreThere() {
    var plans = ingest.get("/v1/plans").json().get("items");
    assertThat(plans.toString())
        .contains("{\"id\":\"FREE\",\"limit\":1,\"weight\":1}")
        .contains("{\"id\":\"PRO\",\"limit\":5,\"weight\":2}")
        .contains("{\"id\":\"ENTERPRISE\",\"limit\":20,\"weight\":4}");
  }

  @Test
  void aWorkspaceTakesItsPlansLimitUnlessItHasItsOwn() {
    String ws = ingest.workspace("PRO");
    assertThat(ingest.get("/v1/workspaces/" + ws).response().body())
        .isEqualTo(
            "{\"id\":\"%s\",\"plan\":\"PRO\",\"limit\":5,\"held\":0,\"waiting\":0,\"paused\":false,\"waitingFor\":{}}"
                .formatted(ws));

    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"PRO\",\"limit\":7}");
    assertThat(ingest.get("/v1/workspaces/" + ws).json().get("limit").asInt()).isEqualTo(7);
    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\"}");
    assertThat(ingest.get("/v1/workspaces/" + ws).json().get("limit").asInt()).isEqualTo(1);
  }

  @Test
  void aWorkspaceShowsWhatItHoldsAndWhatWaitsAndSinceWhen() {
    String ws = ingest.workspace("FREE");
    rows.running(ws);
    UUID oldest = rows.pending(ws);
    rows.pending(
        ws, UUID.randomUUID(), "gate = 'parked', parked_on = 'partition', partition_key = 'k'");
    rows.pending(ws, UUID.randomUUID(), "gate = 'delayed', ready_at = now() + interval '1 hour'");

    var shown = ingest.get("/v1/workspaces/" + ws).json();
    assertThat(shown.get("held").asInt()).isEqualTo(1);
    assertThat(shown.get("waiting").asInt()).isEqualTo(3);
    assertThat(shown.get("oldestWaitingSince"))
        .isEqualTo(ingest.get("/v1/executions/" + oldest).json().get("acceptedAt"));
  }

  @Test
  void anUnknownPlanIsUnprocessable() {
    var answer = ingest.put("/v1/workspaces/acme", "{\"plan\":\"NOPE\"}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.json().get("type").asString()).isEqualTo("urn:sluice:problem:unknown-plan");
  }

  @Test
  void anUnknownWorkspaceIsNotFoundAndTakesNoDefinition() {
    assertThat(ingest.get("/v1/workspaces/nobody").status()).isEqualTo(404);
    assertThat(ingest.post("/v1/workspaces/nobody/pause").status()).isEqualTo(404);
    assertThat(ingest.get("/v1/workspaces/nobody/definitions").status()).isEqualTo(404);
    var put =
        ingest.put(
            "/v1/workspaces/nobody/definitions/x", "{\"workflowType\":\"A\",\"taskQueue\":\"q\"}");
    assertThat(put.status()).isEqualTo(422);
    assertThat(put.json().get("type").asString()).isEqualTo("urn:sluice:problem:unknown-workspace");
  }

  @Test
  void onlyAnotherTypeQueueOrGraphMakesAnotherVersion() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/definitions/report";
    assertThat(version(path, "{\"workflowType\":\"Report\",\"taskQueue\":\"reports\"}"))
        .isEqualTo(1);
    assertThat(
            version(
                path,
                "{\"workflowType\":\"Report\",\"taskQueue\":\"reports\",\"maxAttempts\":9,\"limit\":2}"))
        .isEqualTo(1);
    assertThat(version(path, "{\"workflowType\":\"Report\",\"taskQueue\":\"other\"}")).isEqualTo(2);
    String graph =
        "{\"graph\":{\"nodes\":[{\"id\":\"a\",\"type\":\"set\",\"config\":{\"values\":{}}}]}}";
    assertThat(version(path, graph)).isEqualTo(3);
    assertThat(version(path, graph)).isEqualTo(3);

    var stored = ingest.get(path).json();
    assertThat(stored.get("version").asInt()).isEqualTo(3);
    assertThat(stored.at("/graph/nodes/0/id").asString()).isEqualTo("a");
    assertThat(stored.has("workflowType")).isFalse();
  }

  @Test
  void putsOfTheSameDefinitionAtTheSameTimeEachGetAVersion() throws Exception {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/definitions/new";
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var puts =
          IntStream.range(0, 16)
              .mapToObj(
                  i ->
                      pool.submit(
                          () ->
                              version(
                                  path, "{\"workflowType\":\"A\",\"taskQueue\":\"q" + i + "\"}")))
              .toList();
      for (var put : puts) {
        assertThat(put.get()).isBetween(1, 16);
      }
    }
    assertThat(ingest.get(path).json().get("version").asInt()).isEqualTo(16);
  }

  @Test
  void aGraphThatCannotRunIsRefusedWithTheFieldNamed() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/definitions/g";
    var answer =
        ingest.put(
            path,
            """
            {"graph":{"nodes":[{"id":"a","type":"slep"},{"id":"b","type":"set","config":{"values":{}}}],
                      "edges":[{"from":"a","to":"c"}]}}\
            """);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").toString())
        .contains("graph.nodes[0].type", "graph.edges[0].to");
    assertThat(ingest.get(path).status()).isEqualTo(404);
  }

  @Test
  void aDefinitionIsATypeAndQueueOrAGraphButNotBoth() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/definitions/x";
    assertThat(fields(ingest.put(path, "{\"workflowType\":\"A\"}"))).containsExactly("taskQueue");
    assertThat(
            fields(
                ingest.put(
                    path,
                    "{\"taskQueue\":\"q\",\"graph\":{\"nodes\":[{\"id\":\"a\",\"type\":\"set\",\"config\":{\"values\":{}}}]}}")))
        .containsExactly("taskQueue");
    assertThat(
            fields(ingest.put(path, "{\"workflowType\":\"A\",\"taskQueue\":\"q\",\"limit\":-1}")))
        .containsExactly("limit");
  }

  @Test
  void aPauseEndsByItselfAtItsTimeAndAtOnceByResume() {
    String ws = "/v1/workspaces/" + ingest.workspace("FREE");
    var paused =
        ingest.post(ws + "/pause", "{\"until\":\"2999-01-01T00:00:00Z\",\"reason\":\"broken\"}");
    assertThat(paused.json().get("paused").asBoolean()).isTrue();
    assertThat(paused.json().get("pausedUntil").asString()).isEqualTo("2999-01-01T00:00:00Z");
    assertThat(paused.json().get("pauseReason").asString()).isEqualTo("broken");
    assertThat(ingest.post(ws + "/resume").json().get("paused").asBoolean()).isFalse();
    assertThat(fields(ingest.post(ws + "/pause", "{\"until\":\"2001-01-01T00:00:00Z\"}")))
        .containsExactly("until");
  }

  @Test
  @Tag("L5")
  void leavingMaintenanceBeginsAnotherGenerationDrainedOrNot() {
    try (var own = Ingest.start(dev.sluice.servers.TestStack.shared().freshDatabase("drain"))) {
      var ownRows = new Rows(own);
      String ws = own.workspace("FREE");
      UUID id = ownRows.running(ws);
      UUID waits = ownRows.pending(ws);
      ownRows.pending(ws, UUID.randomUUID(), "gate = 'parked', parked_on = 'paused'");
      ownRows.pending(
          ws,
          UUID.randomUUID(),
          "gate = 'parked', parked_on = 'limit', parked_key = 'k', parked_max = 1");
      assertThat(own.post("/v1/maintenance", "{\"mode\":\"drain\"}").response().body())
          .isEqualTo(
              "{\"mode\":\"drain\",\"generation\":1,\"drained\":false,\"held\":1,\"waiting\":3}");
      assertThat(own.get("/v1/executions/" + waits).json().at("/waitingFor/kind").asString())
          .isEqualTo("maintenance");
      assertThat(own.get("/v1/workspaces/" + ws).json().get("waitingFor").toString())
          .isEqualTo("{\"maintenance\":3}");
      assertThat(generation(own, "normal")).isEqualTo(2);

      assertThat(generation(own, "drain")).isEqualTo(2);
      assertThat(generation(own, "cancel")).isEqualTo(2);
      ownRows.close(id, "CANCELED", "null");
      assertThat(own.get("/v1/maintenance").json().get("drained").asBoolean()).isTrue();
      assertThat(generation(own, "normal")).isEqualTo(3);
      assertThat(generation(own, "normal")).isEqualTo(3);
      assertThat(fields(own.post("/v1/maintenance", "{\"mode\":\"off\"}"))).containsExactly("mode");
      assertThat(fields(own.post("/v1/maintenance", "{}"))).containsExactly("mode");
    }
  }

  @Test
  void aChangeOfAPlanIsToldToEveryPartitionAndOfAWorkspaceToItsOwn() {
    String ws = ingest.workspace("FREE");
    try (var signals = new RequestTopic(Topics.SIGNALS)) {
      ingest.put("/v1/plans/TOLD", "{\"limit\":3}");
      var partitions =
          signals.await("*", 12).stream()
              .map(ConsumerRecord::partition)
              .collect(Collectors.toSet());
      assertThat(partitions).hasSize(12);
      assertThat(SignalCodec.decode(signals.of("*").getFirst()))
          .contains(new Signal.CapacityChanged("*"));

      ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"TOLD\"}");
      var told = signals.await(ws, 1).getFirst();
      assertThat(SignalCodec.decode(told)).contains(new Signal.CapacityChanged(ws));
      assertThat(told.partition()).isEqualTo(Topics.homePartition(ws, 12));
    }
  }

  @Test
  void workspacesAreListedPageByPage() {
    String first = ingest.workspace("FREE");
    var page = ingest.get("/v1/workspaces?limit=1&after=" + first.substring(0, 10)).json();
    assertThat(page.get("items").size()).isEqualTo(1);
    assertThat(ingest.get("/v1/workspaces?limit=0").status()).isEqualTo(400);
    assertThat(ingest.get("/v1/workspaces?limit=x").status()).isEqualTo(400);
  }

  private int version(String path, String body) {
    var answer = ingest.put(path, body);
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
    return answer.json().get("version").asInt();
  }

  private static int generation(Ingest ingest, String mode) {
    return ingest
        .post("/v1/maintenance", "{\"mode\":\"%s\"}".formatted(mode))
        .json()
        .get("generation")
        .asInt();
  }

  static java.util.List<String> fields(Ingest.Answer answer) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
    return answer.json().get("errors").valueStream().map(e -> e.get("field").asString()).toList();
  }
}
