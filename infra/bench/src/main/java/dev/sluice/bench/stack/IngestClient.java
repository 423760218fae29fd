package dev.sluice.bench.stack;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A producer that comes over HTTP, with connections that stay open. */
public final class IngestClient implements AutoCloseable {
  private static final int ACCEPTED = 202;
  private static final String BODY =
      "{\"definitionId\":\"%s\",\"input\":%s}".formatted(Tables.DEFINITION, Requests.INPUT);

  /** Longer than the service itself waits for Kafka. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final URI api;

  public IngestClient(URI ingest) {
    api = ingest.resolve("/v1/");
  }

  /** Does not wait. Gives the id of the workflow that it will be, and fails when it was refused. */
  public CompletableFuture<String> enqueue(String workspace) {
    var request =
        HttpRequest.newBuilder(api.resolve("workspaces/" + workspace + "/executions"))
            .timeout(TIMEOUT)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(BODY))
            .build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        .thenApply(IngestClient::workflowId);
  }

  private static String workflowId(HttpResponse<byte[]> answer) {
    if (answer.statusCode() != ACCEPTED) {
      throw new IllegalStateException("ingest-service answered " + answer.statusCode());
    }
    String id = Json.MAPPER.readTree(answer.body()).path("id").asString();
    return ExecutionIds.workflowId(UUID.fromString(id));
  }

  @Override
  public void close() {
    http.close();
  }
}
