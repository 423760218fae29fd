package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.LocalKafka;
import dev.sluice.servers.LocalPostgres;
import dev.sluice.servers.TestStack;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutageTest {
  private static final String QUICK = "--sluice.publish.delivery-timeout=2s";

  @Test
  void withoutKafkaNothingIsPromisedAndItGoesOnWhenKafkaIsBack(@TempDir Path folder) {
    var kafka = LocalKafka.start(folder, 0);
    int port = kafka.port();
    String database = TestStack.shared().freshDatabase("kafka_away");
    try (var ingest =
        Ingest.startOn(
            kafka.bootstrapServers(),
            database,
            QUICK,
            "--sluice.publish.max-block=1s",
            "--sluice.publish.fast-capacity=1")) {
      String ws = ingest.workspace("FREE");
      String path = "/v1/workspaces/" + ws + "/executions";
      String body = "{\"definitionId\":\"report\"}";
      assertThat(ingest.post(path, body).status()).isEqualTo(202);
      assertThat(ingest.post(path + ":batch", "{\"executions\":[" + body + "]}").status())
          .isEqualTo(202);
      new Rows(ingest).pending(ws);
      int audited = audited(ingest);

      kafka.close();
      assertUnavailable(ingest.post(path, body), "kafka-away");
      assertUnavailable(
          ingest.post(path + ":batch", "{\"executions\":[" + body + "]}"), "kafka-away");
      assertUnavailable(ingest.post(path + ":cancel", "{}"), "kafka-away");
      assertThat(audited(ingest)).as("what nobody got did not happen").isEqualTo(audited);
      assertUnavailable(ingest.get("/v1/lag"), "kafka-away");
      assertUnavailable(
          ingest.get("/v1/executions/" + ExecutionIds.ofKey(ws, "unknown")), "kafka-away");
      var fast = ingest.post(path + "?durability=fast", body);
      assertThat(fast.status()).isEqualTo(202);
      assertUnavailable(ingest.post(path + "?durability=fast", body), "buffer-full");
      assertThat(ingest.put("/v1/workspaces/" + ws, "{\"plan\":\"PRO\"}").status()).isEqualTo(200);
      var readiness = ingest.get("/actuator/health/readiness");
      assertThat(readiness.status()).isEqualTo(503);
      assertThat(readiness.response().body())
          .contains("Kafka away")
          .doesNotContain("PostgreSQL away");
      assertThat(ingest.get("/actuator/health/liveness").status()).isEqualTo(200);

      kafka = LocalKafka.start(folder, port);
      await().atMost(Duration.ofSeconds(30)).until(() -> ingest.post(path, body).status() == 202);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  ingest.post(path + ":batch", "{\"executions\":[" + body + "]}").status() == 202);
      String accepted = fast.json().get("id").asString();
      await().atMost(Duration.ofSeconds(30)).until(() -> ids(port).contains(accepted));
      assertThat(ingest.get("/actuator/health/readiness").status()).isEqualTo(200);
    } finally {
      kafka.close();
    }
  }

  @Test
  void withoutPostgresqlItAnswers503AndGoesOnWhenItIsBack(@TempDir Path folder) {
    var postgres = LocalPostgres.start(folder, 0);
    int port = postgres.port();
    try (var ingest = Ingest.start(postgres.jdbcUrl())) {
      String ws = ingest.workspace("FREE");
      postgres.close();
      assertUnavailable(ingest.get("/v1/workspaces/" + ws), "database-away");
      assertUnavailable(ingest.put("/v1/plans/X", "{\"limit\":1}"), "database-away");
      assertUnavailable(
          ingest.put(
              "/v1/workspaces/" + ws + "/definitions/d",
              "{\"workflowType\":\"A\",\"taskQueue\":\"q\"}"),
          "database-away");
      var readiness = ingest.get("/actuator/health/readiness");
      assertThat(readiness.status()).isEqualTo(503);
      assertThat(readiness.response().body())
          .contains("PostgreSQL away")
          .doesNotContain("Kafka away");

      postgres = LocalPostgres.start(folder, port);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> ingest.get("/v1/workspaces/" + ws).status() == 200);
    } finally {
      postgres.close();
    }
  }

  @Test
  void fastRequestsAreWrittenBeforeTheServiceStops() {
    String database = TestStack.shared().freshDatabase("fast_stop");
    try (var topic = topicAfterStart(database)) {
      String ws;
      try (var ingest = Ingest.start(database)) {
        ws = ingest.workspace("FREE");
        for (int i = 0; i < 50; i++) {
          ingest.post(
              "/v1/workspaces/" + ws + "/executions?durability=fast",
              "{\"definitionId\":\"report\",\"input\":" + i + "}");
        }
      }
      assertThat(topic.await(ws, 50)).hasSize(50);
    }
  }

  private static RequestTopic topicAfterStart(String database) {
    Ingest.start(database).close();
    return new RequestTopic(Topics.REQUESTS);
  }

  private static java.util.List<String> ids(int kafkaPort) {
    try (var all = RequestTopic.fromBeginning("127.0.0.1:" + kafkaPort, Topics.REQUESTS)) {
      return all.all().stream().map(r -> CloudEvents.fromRecord(r).getId()).toList();
    }
  }

  private static int audited(Ingest ingest) {
    return ingest.get("/v1/audit").json().get("items").size();
  }

  private static void assertUnavailable(Ingest.Answer answer, String kind) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(503);
    assertThat(answer.header("retry-after")).isNotEmpty();
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.json().get("type").asString()).isEqualTo("urn:sluice:problem:" + kind);
  }
}
