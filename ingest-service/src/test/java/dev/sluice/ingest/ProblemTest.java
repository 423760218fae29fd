package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProblemTest {
  private final Ingest ingest = Ingest.shared();

  @Test
  void aWrongPathMethodOrMediaTypeIsAProblemDocumentToo() {
    assertProblem(ingest.get("/v1/nothing"), 404);
    assertProblem(ingest.send(HttpRequest.newBuilder().DELETE(), "/v1/plans"), 405);
    assertProblem(
        ingest.send(HttpRequest.newBuilder().header("Accept", "text/html").GET(), "/v1/plans"),
        406);
    assertProblem(
        ingest.send(
            HttpRequest.newBuilder()
                .header("Content-Type", "text/plain")
                .PUT(BodyPublishers.ofString("{\"limit\":1}")),
            "/v1/plans/X"),
        415);
    assertProblem(
        ingest.send(
            HttpRequest.newBuilder()
                .header("Content-Type", "multipart/form-data")
                .PUT(BodyPublishers.ofString("{\"limit\":1}")),
            "/v1/plans/X"),
        415);
  }

  @Test
  void whatIsNoIdIsRefusedByName() {
    assertThat(CatalogueTest.fields(ingest.put("/v1/plans/a%20b", "{\"limit\":1}")))
        .containsExactly("plan");
    assertThat(CatalogueTest.fields(ingest.get("/v1/workspaces/" + "x".repeat(65))))
        .containsExactly("ws");
  }

  @Test
  void whatTomcatItselfRefusesIsAProblemDocument() throws IOException {
    assertProblem(ingest.get("/v1/workspaces/a%2Fb"), 400);
    assertProblem(ingest.get("/v1/workspaces?=1"), 400);
    var url = URI.create(ingest.url());
    try (var socket = new Socket(url.getHost(), url.getPort())) {
      socket
          .getOutputStream()
          .write("GET /v1/plans|x HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
      assertThat(
              Json.MAPPER
                  .readTree(answer.substring(answer.indexOf("\r\n\r\n")))
                  .get("status")
                  .asInt())
          .isEqualTo(400);
    }
  }

  @Test
  void theOpenApiDocumentIsTrueToTheSurface() {
    var api = ingest.get("/v1/openapi.json").json();
    assertThat(api.get("openapi").asString()).startsWith("3.1");
    assertThat(api.get("paths").propertyNames())
        .contains(
            "/v1/plans/{plan}",
            "/v1/workspaces/{ws}",
            "/v1/workspaces/{ws}/definitions/{def}",
            "/v1/workspaces/{ws}/executions",
            "/v1/workspaces/{ws}/executions:batch",
            "/v1/executions/{id}",
            "/v1/executions/{id}/cancel",
            "/v1/executions/{id}/retry",
            "/v1/workspaces/{ws}/pause",
            "/v1/workspaces/{ws}/resume",
            "/v1/workspaces/{ws}/definitions/{def}/pause",
            "/v1/workspaces/{ws}/definitions/{def}/resume",
            "/v1/workspaces/{ws}/executions:cancel",
            "/v1/workspaces/{ws}/executions:retry",
            "/v1/limits",
            "/v1/audit",
            "/v1/lag",
            "/v1/maintenance");
    assertThat(api.at("/components/schemas/ExecutionBody/properties/priority/maximum").asInt())
        .isEqualTo(9);
    assertThat(api.at("/components/schemas/ExecutionBody/additionalProperties").asBoolean(true))
        .isFalse();
    assertThat(api.at("/components/schemas/ExecutionBody/properties/limits/maxItems").asInt())
        .isEqualTo(3);
    assertThat(
            api.at("/components/schemas/WorkspaceBody/properties/startsPerSecond/type").toString())
        .isEqualTo("[\"number\",\"null\"]");
    assertThat(api.at("/components/schemas/WaitingFor/properties/kind/enum").toString())
        .contains("limit", "start-rate", "global-limit", "temporal");
    assertThat(
            api.at("/components/schemas/AuditEntry/required")
                .valueStream()
                .map(name -> name.asString()))
        .containsExactlyInAnyOrder("id", "at", "actor", "action");
    var bulk = api.at("/paths/~1v1~1workspaces~1{ws}~1executions:cancel/post");
    assertThat(bulk.get("responses").propertyNames()).contains("200", "202", "404");
    assertThat(bulk.get("parameters").toString()).contains("X-Sluice-Actor");
    assertThat(api.at("/paths/~1v1~1audit/get/parameters").toString())
        .doesNotContain("X-Sluice-Actor");
    assertThat(api.at("/components/schemas/Problem/required").toString())
        .contains("type", "title", "status", "detail");
    assertThat(
            api.at(
                    "/paths/~1v1~1workspaces~1{ws}~1executions/post/responses/503/content/application~1problem+json/schema/$ref")
                .asString())
        .isEqualTo("#/components/schemas/Problem");
  }

  @Test
  void theProbesAndMetricsAreThere() {
    assertThat(ingest.get("/actuator/health/readiness").status()).isEqualTo(200);
    assertThat(ingest.get("/actuator/health/liveness").status()).isEqualTo(200);
    assertThat(ingest.get("/actuator/info").status()).isEqualTo(200);
    assertThat(ingest.get("/actuator/prometheus").response().body()).contains("jvm_memory");
  }

  private static void assertProblem(Ingest.Answer answer, int status) {
    assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    var problem = answer.json();
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("type").asString()).startsWith("urn:sluice:problem:");
    assertThat(problem.get("title").asString()).isNotEmpty();
    assertThat(problem.get("detail").asString()).isNotEmpty();
  }
}
