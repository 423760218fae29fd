package dev.sluice.dispatcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.servers.TestStack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;

@Tag("Q24")
class TracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @Test
  void oneTraceLeadsFromTheProducerIntoTheWorkflow() throws Exception {
    try (var collector = new OtlpReceiver()) {
      var sluice =
          Sluice.on(
              TestStack.shared().anotherKafka().bootstrapServers(),
              TestStack.shared().freshDatabase("traced"),
              "--OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.endpoint());
      try {
        String ws = sluice.workspace("FREE");
        UUID id = enqueue(sluice, ws, ",\"partitionKey\":\"k\"");
        sluice.awaitStatus(id, "COMPLETED");

        List<String> ofTheRequest =
            List.of("sluice.intake", "sluice.admit", "sluice.start", "sluice.settle");
        await()
            .atMost(Duration.ofSeconds(20))
            .untilAsserted(() -> assertThat(names(collector)).containsAll(ofTheRequest));
        var intake = one(collector, "sluice.intake");
        assertThat(intake.parentId()).isEqualTo("00f067aa0ba902b7");
        for (String later : ofTheRequest.subList(1, 4)) {
          assertThat(one(collector, later).parentId()).as(later).isEqualTo(intake.id());
        }
        for (String batch :
            List.of("sluice.intake.batch", "sluice.admit.batch", "sluice.settle.batch")) {
          assertThat(one(collector, batch).linkedTraces()).as(batch).contains(TRACE);
        }
        assertThat(one(collector, "sluice.admit.batch.lock").parentId())
            .isEqualTo(one(collector, "sluice.admit.batch").id());
        assertThat(one(collector, "sluice.admit.batch.count-and-claim").parentId())
            .isEqualTo(one(collector, "sluice.admit.batch").id());
        assertThat(header(sluice, id)).contains(TRACE, one(collector, "sluice.start").id());
        assertThat(openMetrics(sluice))
            .containsPattern(
                "sluice_enqueue_to_start_seconds_bucket\\{le=\"[^\"]+\"} \\d.* # \\{.*trace_id=\""
                    + TRACE);

        // One that has its slot with its row is told the same way, less the parts of an admission.
        sluice.awaitStatus(enqueue(sluice, ws, ""), "COMPLETED");
        await()
            .atMost(Duration.ofSeconds(20))
            .untilAsserted(
                () ->
                    assertThat(names(collector))
                        .filteredOn(ofTheRequest::contains)
                        .hasSize(2 * ofTheRequest.size()));
      } finally {
        sluice.stop();
      }
    }
  }

  @Test
  void withoutACollectorThereIsNoTracerAtAll() {
    assertThat(Sluice.shared().bean(DispatcherMetrics.class).traces().isOn()).isFalse();
  }

  /** With {@code more} fields. */
  private static UUID enqueue(Sluice sluice, String ws, String more) {
    String key = UUID.randomUUID().toString();
    String data =
        "{\"workspaceId\":\"%s\",\"definitionId\":\"job\",\"idempotencyKey\":\"%s\",\"input\":{}%s}"
            .formatted(ws, key, more);
    var event = CloudEvents.event(key, "urn:test", EventTypes.REQUESTED, data.getBytes(UTF_8));
    var record = CloudEvents.toRecord(Topics.REQUESTS, ws, event);
    record
        .headers()
        .add("ce_traceparent", ("00-" + TRACE + "-00f067aa0ba902b7-01").getBytes(UTF_8));
    sluice.send(
        new ProducerRecord<>(
            record.topic(), null, ws.getBytes(UTF_8), record.value(), record.headers()));
    return ExecutionIds.ofKey(ws, key);
  }

  /** Of the spans of the trace so far. */
  private static List<String> names(OtlpReceiver collector) {
    return collector.spans().stream()
        .filter(span -> span.traceId().equals(TRACE))
        .map(OtlpReceiver.Span::name)
        .toList();
  }

  private static OtlpReceiver.Span one(OtlpReceiver collector, String name) {
    return await(name)
        .atMost(Duration.ofSeconds(10))
        .until(
            () ->
                collector.spans().stream()
                    .filter(span -> span.name().equals(name))
                    .findFirst()
                    .orElse(null),
            span -> span != null);
  }

  private static String header(Sluice sluice, UUID id) {
    return sluice
        .temporal()
        .fetchHistory(ExecutionIds.workflowId(id))
        .getEvents()
        .getFirst()
        .getWorkflowExecutionStartedEventAttributes()
        .getHeader()
        .getFieldsOrThrow("traceparent")
        .getData()
        .toStringUtf8();
  }

  private static String openMetrics(Sluice sluice) throws Exception {
    String port = sluice.bean(Environment.class).getProperty("local.server.port");
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                  .header("Accept", "application/openmetrics-text;version=1.0.0")
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
