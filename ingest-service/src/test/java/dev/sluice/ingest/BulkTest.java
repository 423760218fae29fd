package dev.sluice.ingest;

import static dev.sluice.ingest.CatalogueTest.fields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.CancelRequest;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Parsed;
import dev.sluice.contracts.RequestParser;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BulkTest {
  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  @Tag("L6")
  void aCancelOfAllThatMatchIsCountedFirstAndThenSentForEach() {
    String ws = ingest.workspace("PRO");
    UUID running = rows.running(ws);
    UUID claimed = rows.claimed(ws);
    UUID ready = rows.pending(ws);
    UUID parked =
        rows.pending(
            ws,
            ExecutionIds.mint(),
            "gate = 'parked', parked_on = 'partition', partition_key = 'k'");
    UUID late = rows.pending(ws, ExecutionIds.mint(), "gate = 'delayed', ready_at = '2999-01-01Z'");
    rows.ran(ws, 1);
    rows.fail(rows.pending(ws));
    String path = "/v1/workspaces/" + ws + "/executions:cancel";

    var counted = ingest.post(path, "{\"dryRun\":true}");
    assertThat(counted.status()).isEqualTo(200);
    assertThat(counted.response().body()).isEqualTo("{\"matched\":5,\"dryRun\":true}");
    assertThat(matched(path, "{\"dryRun\":true,\"status\":\"PENDING\"}")).isEqualTo(3);
    assertThat(matched(path, "{\"dryRun\":true,\"status\":\"CLAIMED\"}")).isEqualTo(1);
    assertThat(matched(path, "{\"dryRun\":true,\"status\":\"DISPATCHED\"}")).isEqualTo(1);
    assertThat(matched(path, "{\"dryRun\":true,\"partitionKey\":\"k\"}")).isEqualTo(1);
    assertThat(matched(path, "{\"dryRun\":true,\"definitionId\":\"other\"}")).isZero();
    assertThat(matched(path, "{\"dryRun\":true,\"acceptedBefore\":\"2020-01-01T00:00:00Z\"}"))
        .isZero();
    assertThat(matched(path, "{\"dryRun\":true,\"acceptedAfter\":\"2020-01-01T00:00:00Z\"}"))
        .isEqualTo(5);

    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      var answer = ingest.post(path, "{\"reason\":\"wrong import\",\"terminateAfter\":\"PT1M\"}");
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.response().body()).isEqualTo("{\"matched\":5,\"more\":false}");
      List<CancelRequest> sent = topic.await(ws, 5).stream().map(BulkTest::cancel).toList();
      // What waits is taken back before what runs makes room for it.
      assertThat(sent.stream().map(CancelRequest::id))
          .containsExactly(late, parked, ready, claimed, running);
      assertThat(sent)
          .allSatisfy(
              cancel -> {
                assertThat(cancel.reason()).isEqualTo("wrong import");
                assertThat(cancel.terminateAfter()).isEqualTo(Duration.ofMinutes(1));
              });
    }
  }

  @Test
  @Tag("T2")
  void aRetryOfAllThatFailedKeepsTheirOrderAndWhatIsClosedIsRetriedOnlyWhenNamed() {
    String ws = ingest.workspace("PRO");
    UUID first = rows.pending(ws);
    UUID closed = rows.ran(ws, 1);
    UUID second = rows.pending(ws);
    rows.running(ws);
    rows.pending(ws);
    rows.fail(first);
    rows.fail(second);
    String path = "/v1/workspaces/" + ws + "/executions:retry";
    assertThat(matched(path, "{\"dryRun\":true}")).isEqualTo(2);
    assertThat(matched(path, "{\"dryRun\":true,\"status\":\"DISPATCHED\"}")).isEqualTo(1);
    try (var signals = new RequestTopic(Topics.SIGNALS)) {
      assertThat(ingest.post(path, "{}").response().body())
          .isEqualTo("{\"matched\":2,\"more\":false}");
      assertThat(matched(path, "{\"status\":\"DISPATCHED\",\"reason\":\"again\"}")).isEqualTo(1);
      assertThat(signals.await(ws, 3).stream().map(BulkTest::retried))
          .containsExactly(first, second, closed);
    }
  }

  @Test
  void moreThanOneCallTakesIsGoneThroughPageByPage() {
    String ws = ingest.workspace("FREE");
    ingest
        .jdbc()
        .sql(
            """
            insert into workflow_execution_queue
              (id, workspace_id, definition_id, definition_version, state, priority, input)
            select gen_random_uuid(), :ws, 'report', 1, 'PENDING', 5, '1' from generate_series(1, 10007)
            """)
        .param("ws", ws)
        .update();
    String path = "/v1/workspaces/" + ws + "/executions:cancel";
    assertThat(matched(path, "{\"dryRun\":true}")).isEqualTo(10_007);
    try (var topic = new RequestTopic(Topics.REQUESTS)) {
      var page = ingest.post(path, "{}");
      assertThat(page.status()).as(page.response().body()).isEqualTo(202);
      assertThat(page.json().get("matched").asInt()).isEqualTo(10_000);
      assertThat(page.json().get("more").asBoolean()).isTrue();
      var rest =
          ingest.post(path, "{\"after\":\"%s\"}".formatted(page.json().get("next").asString()));
      assertThat(rest.response().body()).isEqualTo("{\"matched\":7,\"more\":false}");
      assertThat(topic.await(ws, 10_007).stream().map(r -> cancel(r).id()).distinct())
          .hasSize(10_007);
    }
  }

  @Test
  void whatCannotBeMeantIsRefusedByName() {
    String path = "/v1/workspaces/" + ingest.workspace("FREE") + "/executions";
    assertThat(fields(ingest.post(path + ":cancel", "{\"status\":\"FAILED\"}")))
        .containsExactly("status");
    assertThat(fields(ingest.post(path + ":retry", "{\"status\":\"PENDING\"}")))
        .containsExactly("status");
    assertThat(fields(ingest.post(path + ":retry", "{\"terminateAfter\":\"PT1S\"}")))
        .containsExactly("terminateAfter");
    assertThat(fields(ingest.post(path + ":cancel", "{\"dryRun\":\"yes\",\"after\":\"x\"}")))
        .containsExactlyInAnyOrder("dryRun", "after");
    assertThat(
            fields(
                ingest.post(
                    path + ":cancel",
                    "{\"acceptedAfter\":\"2026-01-02T00:00:00Z\",\"acceptedBefore\":\"2026-01-01T00:00:00Z\"}")))
        .containsExactly("acceptedAfter");
    assertThat(ingest.post("/v1/workspaces/nobody/executions:cancel", "{}").status())
        .isEqualTo(404);
    assertThat(ingest.post(path + ":cancel").status()).isEqualTo(415);
  }

  private int matched(String path, String body) {
    var answer = ingest.post(path, body);
    assertThat(answer.status()).as(answer.response().body()).isIn(200, 202);
    return answer.json().get("matched").asInt();
  }

  private static CancelRequest cancel(ConsumerRecord<String, byte[]> sent) {
    return RequestParser.cancel(sent.value()) instanceof Parsed.Valid<CancelRequest>(var cancel)
        ? cancel
        : org.assertj.core.api.Assertions.fail("not a cancel request");
  }

  private static UUID retried(ConsumerRecord<String, byte[]> sent) {
    return SignalCodec.decode(sent).orElseThrow() instanceof Signal.Retry retry
        ? retry.id()
        : org.assertj.core.api.Assertions.fail("not a retry");
  }
}
