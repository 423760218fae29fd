package dev.sluice.recovery;

import static dev.sluice.recovery.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.Json;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

class RecoveryApplicationTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Fixture fixture = Fixture.fresh(RecoveryApplicationTest.class);
  private final String workspace = "ws-" + UUID.randomUUID();
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), workspace);

  @AfterEach
  void close() {
    fixture.close();
  }

  private ConfigurableApplicationContext start(String instance) {
    var stack = TestStack.shared();
    return RecoveryApplication.builder()
        .run(
            "--server.port=0",
            "--spring.kafka.bootstrap-servers=" + Fixture.bootstrapServers(),
            "--sluice.database.url=" + fixture.database().url(),
            "--sluice.database.user=" + fixture.database().user(),
            "--sluice.database.password=" + fixture.database().password(),
            "--sluice.temporal.address=" + stack.temporal().address(),
            "--sluice.recovery.relay.slot=" + fixture.slot(),
            "--sluice.recovery.lead.instance=" + instance,
            "--sluice.kafka.partitions=3");
  }

  @Test
  void aStandbyTakesOverWithinTenSecondsAndNoEventIsMissing() throws Exception {
    try (var events = new TopicReader(Topics.EVENTS, workspace);
        var first = start("first")) {
      await().atMost(SOON).until(() -> streams(first));
      try (var second = start("second")) {
        await().atMost(SOON).until(() -> relay(second).path("leader").asString().equals("first"));
        assertThat(relay(second).path("role").asString()).isEqualTo("standby");
        dispatcher.live();
        first.close();
        dispatcher.live();
        await().atMost(Duration.ofSeconds(10)).until(() -> streams(second));
        dispatcher.live();
        var seen =
            events.await(
                SOON, all -> all.stream().map(e -> header(e, "ce_id")).distinct().count() == 12);
        assertThat(seen).extracting(e -> header(e, "ce_subject")).doesNotContainNull();
      }
    }
  }

  @Test
  @Tag("Q15")
  void aStrandedClaimAndALostWorkflowAreToldToTheOwnerWithoutAnybodyAsking() throws Exception {
    UUID stranded = dispatcher.claimed();
    fixture
        .sql()
        .sql("update workflow_execution_queue set claimed_at = now() - interval '1 hour'")
        .update();
    UUID lost = dispatcher.dispatched();
    fixture
        .sql()
        .sql("update workflow_execution set checked_at = now() - interval '1 hour'")
        .update();
    try (var sent = new TopicReader(Topics.SIGNALS, workspace);
        var service = start("alone")) {
      var seen = sent.await(SOON, all -> all.size() >= 2);
      assertThat(seen)
          .extracting(r -> SignalCodec.decode(r).orElseThrow())
          .containsExactlyInAnyOrder(
              new Signal.Redrive(workspace, stranded), new Signal.Finished(workspace, lost));
      assertThat(get(service, "/actuator/prometheus"))
          .contains("sluice_queue_stale_recovery_total 1.0")
          .contains("sluice_slot_leaks_total 1.0")
          .contains("sluice_replication_slot_lag_bytes")
          .contains("sluice_outbox_relay_lag_seconds")
          .contains("sluice_shedlock_acquisition_failures_total");
      assertThat(get(service, "/actuator/health/readiness")).contains("UP");
      assertThat(get(service, "/actuator/health/liveness")).contains("UP");
    }
  }

  private static boolean streams(ConfigurableApplicationContext service) throws Exception {
    return relay(service).path("streaming").asBoolean(false);
  }

  private static JsonNode relay(ConfigurableApplicationContext service) throws Exception {
    return Json.MAPPER.readTree(get(service, "/actuator/health")).at("/components/relay/details");
  }

  private static String get(ConfigurableApplicationContext service, String path) throws Exception {
    String port = service.getEnvironment().getRequiredProperty("local.server.port");
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }
}
