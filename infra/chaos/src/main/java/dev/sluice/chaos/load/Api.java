package dev.sluice.chaos.load;

import dev.sluice.contracts.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** ingest-service, as any client sees it. */
public final class Api {
  /** Longer than the service itself waits for Kafka. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI base;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /** A status and the document that came with it. */
  public record Answer(int status, JsonNode body) {}

  public Api(URI base) {
    this.base = base;
  }

  public Answer put(String path, JsonNode body) throws IOException {
    return send(request(path).PUT(json(body)));
  }

  public Answer post(String path, JsonNode body) throws IOException {
    return send(request(path).POST(json(body)));
  }

  public Answer get(String path) throws IOException {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(TIMEOUT)
        .header("content-type", "application/json");
  }

  private static HttpRequest.BodyPublisher json(JsonNode body) {
    return HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body));
  }

  private Answer send(HttpRequest.Builder request) throws IOException {
    try {
      var response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      byte[] body = response.body();
      return new Answer(
          response.statusCode(),
          body.length == 0 ? JsonNodeFactory.instance.objectNode() : Json.MAPPER.readTree(body));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
