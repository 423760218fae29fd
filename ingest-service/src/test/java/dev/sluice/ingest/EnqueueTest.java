package dev.sluice.ingest;

import static dev.sluice.ingest.CatalogueTest.fields;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ExecutionRequest;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EnqueueTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final Ingest ingest = Ingest.shared();

  @Test
  @Tag("T1")
  @Tag("P5") // there is no dispatcher here that could do it
  void anAcceptedRequestIsACloudEventOnTheTopicUnderTheIdThatWasGiven() {
    String ws = ingest.workspace("FREE");
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      var answer =
          ingest.send(
              HttpRequest.newBuilder()
                  .header("Content-Type", "application/json")
                  .header("traceparent", TRACE)
                  .POST(
                      BodyPublishers.ofString(
                          "{\"definitionId\":\"report\",\"input\":{\"n\":1.50},\"priority\":2}")),
              "/v1/workspaces/" + ws + "/executions");
      assertThat(answer.status()).isEqualTo(202);
      String id = answer.json().get("id").asString();
      assertThat(answer.header("location")).isEqualTo("/v1/executions/" + id);
      assertThat(answer.response().body())
          .isEqualTo(
              "{\"id\":\"%s\",\"workspaceId\":\"%s\",\"status\":\"ACCEPTED\"}".formatted(id, ws));

      ConsumerRecord<String, byte[]> published = topic.await(ws, 1).getFirst();
      var event = CloudEvents.fromRecord(published);
      assertThat(event.getId()).isEqualTo(id);
      assertThat(event.getSubject()).isEqualTo(id);
      assertThat(event.getType()).isEqualTo(EventTypes.REQUESTED);
      assertThat(event.getSource()).hasToString(EventTypes.INGEST_SOURCE);
      assertThat(event.getExtension(EventTypes.TRACEPARENT)).isEqualTo(TRACE);
      var request = parsed(published);
      assertThat(request.workspaceId()).isEqualTo(ws);
      assertThat(request.input()).isEqualTo("{\"n\":1.50}");
      assertThat(request.priority()).isEqualTo(2);
    }
  }

  @Test
  void theSameKeyGetsTheSameId() {
    String ws = ingest.workspace("FREE");
    String body = "{\"definitionId\":\"report\",\"idempotencyKey\":\"order-1\"}";
    String first = enqueue(ws, body);
    assertThat(first).isEqualTo(ExecutionIds.ofKey(ws, "order-1").toString());
    assertThat(enqueue(ws, body)).isEqualTo(first);
  }

  @Test
  void everyMistakeIsNamedAtOnce() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/executions";
    assertThat(
            fields(
                ingest.post(
                    path,
                    "{\"priority\":10,\"deadline\":\"soon\",\"colour\":\"red\",\"notBefore\":7}")))
        .containsExactlyInAnyOrder("colour", "priority", "deadline", "notBefore", "definitionId");
    assertThat(ingest.post(path, "{\"definitionId\":").status()).isEqualTo(400);
    assertThat(ingest.post(path, "[]").status()).isEqualTo(400);
    assertThat(ingest.post(path).status()).isEqualTo(415);
    assertThat(fields(ingest.post(path + "?durability=maybe", "{\"definitionId\":\"report\"}")))
        .containsExactly("durability");
  }

  @Test
  void inputThatIsNoUnicodeIsRefused() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/executions";
    var answer = ingest.post(path, "{\"definitionId\":\"report\",\"input\":\"\\ud800\"}");
    assertThat(answer.status()).isEqualTo(400);
  }

  @Test
  void whatIsUnknownIsUnprocessableAndKnownAsSoonAsItIsPut() {
    String ws = "ws-" + UUID.randomUUID();
    String path = "/v1/workspaces/" + ws;
    assertThat(type(ingest.post(path + "/executions", "{\"definitionId\":\"later\"}")))
        .isEqualTo("urn:sluice:problem:unknown-workspace");
    ingest.put(path, "{\"plan\":\"FREE\"}");
    assertThat(type(ingest.post(path + "/executions", "{\"definitionId\":\"later\"}")))
        .isEqualTo("urn:sluice:problem:unknown-definition");
    ingest.put(path + "/definitions/later", "{\"workflowType\":\"A\",\"taskQueue\":\"q\"}");
    assertThat(ingest.post(path + "/executions", "{\"definitionId\":\"later\"}").status())
        .isEqualTo(202);
  }

  @Test
  void whatIsTooLargeIsRefusedAndWhatIsTakenIsNotTooLargeForADispatcher() {
    String ws = ingest.workspace("FREE");
    String path = "/v1/workspaces/" + ws + "/executions";
    String wrapping = "{\"definitionId\":\"report\",\"input\":\"\"}";
    int room = RequestParser.LARGEST_BODY - wrapping.length();
    assertThat(ingest.post(path, body(room + 1)).status()).isEqualTo(413);
    // Small enough by itself, but its record says the workspace as well.
    assertThat(ingest.post(path, body(room)).status()).isEqualTo(413);
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      int workspace = ",\"workspaceId\":\"\"".length() + ws.length();
      assertThat(ingest.post(path, body(room - workspace)).status()).isEqualTo(202);
      assertThat(parsed(topic.await(ws, 1).getFirst()).workspaceId()).isEqualTo(ws);
    }
    assertThat(ingest.post(path, body(10 * 1024 * 1024)).status()).isEqualTo(413);
  }

  @Test
  void aBatchIsTakenWholeInTheOrderGiven() {
    String ws = ingest.workspace("FREE");
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      String items =
          IntStream.range(0, 1000)
              .mapToObj(i -> "{\"definitionId\":\"report\",\"input\":" + i + "}")
              .collect(Collectors.joining(","));
      var answer =
          ingest.post(
              "/v1/workspaces/" + ws + "/executions:batch", "{\"executions\":[" + items + "]}");
      assertThat(answer.status()).isEqualTo(202);
      var ids =
          answer.json().get("executions").valueStream().map(e -> e.get("id").asString()).toList();
      var published =
          topic.await(ws, 1000).stream().map(r -> CloudEvents.fromRecord(r).getId()).toList();
      assertThat(published).isEqualTo(ids).doesNotHaveDuplicates().hasSize(1000);
    }
  }

  @Test
  void aBatchWithOneMistakeIsRefusedWhole() {
    String ws = ingest.workspace("FREE");
    String path = "/v1/workspaces/" + ws + "/executions:batch";
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      String good = "{\"definitionId\":\"report\"}";
      assertThat(
              fields(
                  ingest.post(
                      path,
                      "{\"executions\":[%s,%s,%s,{\"definitionId\":\"report\",\"priority\":10}]}"
                          .formatted(good, good, good))))
          .containsExactly("executions[3].priority");
      assertThat(
              ingest
                  .post(path, "{\"executions\":[%s,{\"definitionId\":\"x\"}]}".formatted(good))
                  .json()
                  .at("/errors/0/field")
                  .asString())
          .isEqualTo("executions[1].definitionId");
      assertThat(fields(ingest.post(path, "{\"executions\":[]}"))).containsExactly("executions");
      String tooMany = (good + ",").repeat(1000) + good;
      assertThat(fields(ingest.post(path, "{\"executions\":[" + tooMany + "]}")))
          .containsExactly("executions");

      // A good one behind them shows that nothing of them came before it.
      String last = enqueue(ws, good);
      assertThat(CloudEvents.fromRecord(topic.await(ws, 1).getFirst()).getId()).isEqualTo(last);
    }
  }

  @Test
  @Tag("L1")
  void theFastWayAnswersAtOnceAndTheRecordFollows() {
    String ws = ingest.workspace("FREE");
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      var answer =
          ingest.post(
              "/v1/workspaces/" + ws + "/executions?durability=fast",
              "{\"definitionId\":\"report\"}");
      assertThat(answer.status()).isEqualTo(202);
      assertThat(CloudEvents.fromRecord(topic.await(ws, 1).getFirst()).getId())
          .isEqualTo(answer.json().get("id").asString());
    }
  }

  @Test
  void moreThanTheBacklogsCapIsRefused() {
    String database = TestStack.shared().freshDatabase("cap");
    try (var own = Ingest.start(database, "--sluice.backlog.largest=2")) {
      String ws = own.workspace("FREE");
      var rows = new Rows(own);
      rows.pending(ws);
      assertThat(post(own, ws).status()).isEqualTo(202);
      rows.pending(ws, UUID.randomUUID(), "gate = 'delayed', ready_at = now() + interval '1 hour'");
      var answer = post(own, ws);
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.header("retry-after")).isNotEmpty();
    }
  }

  @Test
  void aWorkspacesOwnCapCountsEveryKindOfWaitingAndTheWholeBatch() {
    String ws = ingest.workspace("FREE");
    var rows = new Rows(ingest);
    rows.pending(ws);
    rows.pending(
        ws, UUID.randomUUID(), "gate = 'parked', parked_on = 'partition', partition_key = 'k'");
    rows.pending(ws, UUID.randomUUID(), "gate = 'parked', parked_on = 'definition'");
    rows.pending(ws, UUID.randomUUID(), "gate = 'parked', parked_on = 'paused'");
    rows.pending(
        ws,
        UUID.randomUUID(),
        "gate = 'parked', parked_on = 'limit', parked_key = 'k', parked_max = 1");
    assertThat(post(ingest, ws).status()).isEqualTo(202);

    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\",\"backlogLimit\":6}");
    String two = "{\"executions\":[{\"definitionId\":\"report\"},{\"definitionId\":\"report\"}]}";
    assertThat(ingest.post("/v1/workspaces/" + ws + "/executions:batch", two).status())
        .isEqualTo(429);
    assertThat(post(ingest, ws).status()).isEqualTo(202);

    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\",\"backlogLimit\":5}");
    assertThat(post(ingest, ws).status()).isEqualTo(429);
    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\",\"backlogLimit\":0}");
    assertThat(post(ingest, ws).status()).isEqualTo(429);
    ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"FREE\"}");
    assertThat(post(ingest, ws).status()).isEqualTo(202);
  }

  @Test
  @Tag("Q27")
  void aCallersOwnCapsTravelWithTheRequestAndMistakesInThemAreNamed() {
    String ws = ingest.workspace("FREE");
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      enqueue(ws, "{\"definitionId\":\"report\",\"limits\":[{\"key\":\"user:42\",\"max\":3}]}");
      assertThat(parsed(topic.await(ws, 1).getFirst()).limits())
          .containsExactly(new ExecutionRequest.KeyLimit("user:42", 3));
    }
    String path = "/v1/workspaces/" + ws + "/executions";
    assertThat(
            fields(
                ingest.post(
                    path,
                    "{\"definitionId\":\"report\",\"limits\":[{\"key\":\"%s\",\"max\":-1}]}"
                        .formatted("k".repeat(101)))))
        .containsExactly("limits[0].key", "limits[0].max");
    assertThat(
            fields(
                ingest.post(
                    path,
                    "{\"definitionId\":\"report\",\"notBefore\":\"2999-01-02T00:00:00Z\","
                        + "\"expiresAt\":\"2999-01-01T00:00:00Z\"}")))
        .containsExactly("notBefore");
  }

  private static Ingest.Answer post(Ingest ingest, String ws) {
    return ingest.post("/v1/workspaces/" + ws + "/executions", "{\"definitionId\":\"report\"}");
  }

  private String enqueue(String ws, String body) {
    var answer = ingest.post("/v1/workspaces/" + ws + "/executions", body);
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
    return answer.json().get("id").asString();
  }

  private static String body(int inputLength) {
    return "{\"definitionId\":\"report\",\"input\":\"" + "x".repeat(inputLength) + "\"}";
  }

  private static String type(Ingest.Answer answer) {
    assertThat(answer.status()).isEqualTo(422);
    return answer.json().get("type").asString();
  }

  private static ExecutionRequest parsed(ConsumerRecord<String, byte[]> published) {
    return RequestParser.request(published.value()) instanceof Parsed.Valid<ExecutionRequest>(var r)
        ? r
        : org.assertj.core.api.Assertions.fail(new String(published.value(), UTF_8));
  }
}
