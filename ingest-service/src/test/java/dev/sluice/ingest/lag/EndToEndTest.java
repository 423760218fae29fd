package dev.sluice.ingest.lag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Topics;
import dev.sluice.ingest.Ingest;
import dev.sluice.ingest.RequestTopic;
import dev.sluice.servers.TestStack;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a database and a broker of its own, for it looks at all that waits; without Temporal. */
@Tag("D")
class EndToEndTest {
  private static final String KAFKA = TestStack.shared().anotherKafka().bootstrapServers();
  private static Ingest ingest;

  @BeforeAll
  static void start() {
    ingest =
        Ingest.startOn(
            KAFKA,
            TestStack.shared().freshDatabase("end_to_end"),
            "--sluice.temporal.address=127.0.0.1:1",
            "--OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", // nobody listens: it costs a log
            // line
            "--sluice.lag.every=200ms",
            "--sluice.metrics.top-workspaces=1");
  }

  @AfterAll
  static void stop() {
    ingest.close();
  }

  @Test
  void onlyWhatCouldStartCounts() {
    var startable = ingest.bean(StartableRepository.class);
    assertThat(startable.oldestSeconds()).isZero();

    String full = ingest.workspace("FREE");
    waits(full, 900, "ready");
    held(full);
    String paused = ingest.workspace("PRO");
    waits(paused, 800, "ready");
    ingest.post("/v1/workspaces/" + paused + "/pause", "{}");
    String free = ingest.workspace("PRO");
    waits(free, 700, "parked");
    assertThat(startable.oldestSeconds()).isZero();

    waits(free, 60, "ready");
    waits(free, 100, "ready");
    assertThat(startable.oldestSeconds()).isCloseTo(100, within(30.0));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> ingest.get("/v1/lag").json().path("endToEndSeconds").asDouble() > 99);

    // One workspace alone has series of its own: that with most waiting.
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(metrics())
                    .contains("sluice_workspace_pending{workspace=\"" + free + "\"} 3.0")
                    .doesNotContain(full));
  }

  @Test
  void theLagIsAMetricWhileNoConsumerLives() {
    String ws = ingest.workspace("FREE");
    ingest.post("/v1/workspaces/" + ws + "/executions", "{\"definitionId\":\"report\"}");
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(metrics())
                    .containsPattern(
                        "sluice_consumer_lag_records\\{group=\"sluice-dispatcher\",partition=\"\\d+\",topic=\"sluice.requests\"}"
                            + " 1.0")
                    .containsPattern("sluice_consumer_lag_seconds\\{group=\"sluice-dispatcher\"")
                    .containsPattern("sluice_end_to_end_lag_seconds [0-9]"));
  }

  @Test
  @Tag("Q24")
  void aRecordNamesTheSpanOfItsHttpRequest() {
    String ws = ingest.workspace("FREE");
    ingest.send(
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .POST(HttpRequest.BodyPublishers.ofString("{\"definitionId\":\"report\"}")),
        "/v1/workspaces/" + ws + "/executions");
    try (var topic = RequestTopic.fromBeginning(KAFKA, Topics.REQUESTS)) {
      String named =
          topic.all().stream()
              .filter(record -> ws.equals(record.key()))
              .map(CloudEvents::fromRecord)
              .map(event -> String.valueOf(event.getExtension(EventTypes.TRACEPARENT)))
              .findFirst()
              .orElseThrow();
      assertThat(named)
          .matches("00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01")
          .doesNotContain("00f067aa0ba902b7");
    }
  }

  @Test
  void temporalAwayIsToldAndIngestStaysReady() {
    var readiness = ingest.get("/actuator/health/readiness");
    assertThat(readiness.status()).isEqualTo(200);
    assertThat(readiness.json().get("status").asString()).isEqualTo("UP");
    assertThat(readiness.response().body())
        .contains("Temporal away")
        .doesNotContain("Kafka away", "PostgreSQL away");
    assertThat(ingest.get("/actuator/health/liveness").status()).isEqualTo(200);
  }

  private static String metrics() {
    return ingest.get("/actuator/prometheus").response().body();
  }

  private static void waits(String ws, int seconds, String gate) {
    ingest
        .jdbc()
        .sql(
            """
            insert into workflow_execution_queue
              (id, workspace_id, definition_id, definition_version, state, priority, input, accepted_at, gate, parked_on)
            values (gen_random_uuid(), :ws, 'report', 1, 'PENDING', 5, '{}',
                    now() - make_interval(secs => :seconds), :gate, case :gate when 'parked' then 'partition' end)
            """)
        .param("ws", ws)
        .param("seconds", seconds)
        .param("gate", gate)
        .update();
  }

  private static void held(String ws) {
    ingest
        .jdbc()
        .sql(
            """
            with running as (
              insert into workflow_execution_queue
                (id, workspace_id, definition_id, definition_version, state, priority, input, dispatched_at)
              values (gen_random_uuid(), :ws, 'report', 1, 'DISPATCHED', 5, '{}', now()) returning id)
            insert into workflow_execution (id, workspace_id, definition_id, definition_version)
            select id, :ws, 'report', 1 from running
            """)
        .param("ws", ws)
        .update();
  }
}
