package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.servers.LocalTemporal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;

class WorkerStartTest {
  @Test
  void aWorkerStartsWithoutTemporalAndGetsReadyWhenItComes() throws Exception {
    int port = freePort();
    try (var http = HttpClient.newHttpClient();
        var worker = GraphWorkflowContract.start("127.0.0.1:" + port)) {
      var early = get(http, worker, "/actuator/health/readiness");
      assertThat(early.statusCode()).isEqualTo(503);
      assertThat(early.body()).contains("Temporal away").contains("127.0.0.1:" + port);
      assertThat(get(http, worker, "/actuator/health/liveness").statusCode()).isEqualTo(200);

      try (var temporal = LocalTemporal.inMemory(port)) {
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(
                () ->
                    assertThat(get(http, worker, "/actuator/health/readiness").statusCode())
                        .isEqualTo(200));
        assertThat(get(http, worker, "/actuator/prometheus").statusCode()).isEqualTo(200);
        assertThat(get(http, worker, "/actuator/info").statusCode()).isEqualTo(200);
        assertThat(temporal.port()).isEqualTo(port);
        worker.close();
      }
    }
  }

  @Test
  @Tag("T6")
  void aWrongAddressStopsTheStart() {
    assertThatThrownBy(() -> GraphWorkflowContract.start("nowhere"))
        .rootCause()
        .hasMessage(
            "TEMPORAL_ADDRESS is \"nowhere\"; it must be host:port, for example 127.0.0.1:17233");
  }

  @Test
  @Tag("T6")
  void twoHandlersOfOneTypeStopTheStart() {
    assertThatThrownBy(
            () -> WorkerApplication.builder().sources(SecondFail.class).run("--server.port=0"))
        .rootCause()
        .hasMessageContaining("both have the node type \"fail\"");
  }

  static class SecondFail {
    @Bean
    NodeHandler secondFail() {
      return new NodeHandler() {
        @Override
        public String type() {
          return "fail";
        }

        @Override
        public JsonNode run(NodeContext node) {
          throw new UnsupportedOperationException();
        }
      };
    }
  }

  private static HttpResponse<String> get(
      HttpClient http, ConfigurableApplicationContext worker, String path)
      throws IOException, InterruptedException {
    String port = worker.getEnvironment().getRequiredProperty("local.server.port");
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
