package dev.sluice.ingest;

import dev.sluice.contracts.Json;
import dev.sluice.servers.TestStack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The service as a user meets it: over HTTP, on real servers. */
public final class Ingest implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final ConfigurableApplicationContext context;

  private Ingest(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** One for all tests that need no settings of their own. */
  public static Ingest shared() {
    return Shared.INGEST;
  }

  public static Ingest start(String database, String... more) {
    return startOn(TestStack.shared().kafka().bootstrapServers(), database, more);
  }

  public static Ingest startOn(String kafka, String database, String... more) {
    var stack = TestStack.shared();
    var args =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--KAFKA_BOOTSTRAP_SERVERS=" + kafka,
                "--DATABASE_URL=" + database,
                "--DATABASE_USER=" + stack.postgres().user(),
                "--DATABASE_PASSWORD=" + stack.postgres().password(),
                "--TEMPORAL_ADDRESS=" + stack.temporal().address()));
    args.addAll(List.of(more));
    return new Ingest(IngestApplication.builder().run(args.toArray(String[]::new)));
  }

  /** What came back. */
  public record Answer(int status, HttpResponse<String> response) {
    public JsonNode json() {
      return Json.MAPPER.readTree(response.body());
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }
  }

  public Answer get(String path) {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  public Answer put(String path, String json) {
    return send(json().PUT(BodyPublishers.ofString(json)), path);
  }

  public Answer post(String path, String json) {
    return send(json().POST(BodyPublishers.ofString(json)), path);
  }

  public Answer post(String path) {
    return send(HttpRequest.newBuilder().POST(BodyPublishers.noBody()), path);
  }

  public Answer send(HttpRequest.Builder request, String path) {
    try {
      var response =
          HTTP.send(request.uri(URI.create(url() + path)).build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public String url() {
    var server = ((WebServerApplicationContext) context).getWebServer();
    return "http://127.0.0.1:" + (server == null ? 0 : server.getPort());
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public JdbcClient jdbc() {
    return context.getBean(JdbcClient.class);
  }

  /** A workspace of its own for a test, with a definition "report". */
  public String workspace(String plan) {
    String id = "ws-" + UUID.randomUUID();
    require(put("/v1/workspaces/" + id, "{\"plan\":\"%s\"}".formatted(plan)));
    require(
        put(
            "/v1/workspaces/" + id + "/definitions/report",
            "{\"workflowType\":\"Report\",\"taskQueue\":\"reports\"}"));
    return id;
  }

  @Override
  public void close() {
    context.close();
  }

  private static void require(Answer answer) {
    if (answer.status() != 200) {
      throw new AssertionError(answer.status() + " " + answer.response().body());
    }
  }

  private static HttpRequest.Builder json() {
    return HttpRequest.newBuilder().header("Content-Type", "application/json");
  }

  private static final class Shared {
    static final Ingest INGEST = start(TestStack.shared().freshDatabase("ingest"));
  }
}
