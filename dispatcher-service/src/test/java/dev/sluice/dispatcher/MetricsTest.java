package dev.sluice.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;

/** What an operator reads, as Prometheus reads it. */
class MetricsTest {
  private final Sluice sluice = Sluice.shared();

  @Test
  @Tag("Q22")
  void theNamesOperatorsLookForAreThere() throws IOException, InterruptedException {
    UUID id = sluice.enqueue(sluice.workspace("FREE"), "{}");
    sluice.awaitStatus(id, "COMPLETED");
    String metrics = get("/actuator/prometheus");
    assertThat(metrics)
        .contains(
            "sluice_queue_processing_batch_size_count",
            "sluice_queue_processing_duration_seconds_bucket",
            "sluice_queue_items_dispatched_total",
            "sluice_queue_items_at_capacity_total",
            "sluice_queue_items_failed_total{reason=",
            "sluice_queue_retries_count",
            "sluice_queue_stale_recovery_total",
            "sluice_queue_pending",
            "sluice_queue_oldest_pending_seconds",
            "sluice_enqueue_to_start_seconds_bucket",
            "sluice_slot_free_to_start_seconds_bucket",
            "sluice_slots_held")
        .doesNotContain(id.toString());
  }

  @Test
  void healthTellsWhatItStandsOn() throws IOException, InterruptedException {
    assertThat(get("/actuator/health/readiness"))
        .contains("\"status\":\"UP\"", "kafka", "postgresql", "temporal");
    assertThat(get("/actuator/health/liveness")).contains("\"status\":\"UP\"");
  }

  private String get(String path) throws IOException, InterruptedException {
    String port = sluice.bean(Environment.class).getProperty("local.server.port");
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
