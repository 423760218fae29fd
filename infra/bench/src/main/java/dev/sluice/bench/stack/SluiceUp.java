package dev.sluice.bench.stack;

import dev.sluice.contracts.Json;
import dev.sluice.servers.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code ./sluice up} as a user runs it, on free ports and with data of its own. */
public final class SluiceUp implements AutoCloseable {
  private static final List<String> PARTS =
      List.of("postgres", "kafka", "temporal", "worker", "recovery", "dispatcher", "ingest");
  private static final Set<String> GIVEN_SERVERS =
      Set.of("KAFKA_BOOTSTRAP_SERVERS", "DATABASE_URL", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE");
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final long began = System.nanoTime();
  private final URI api;
  private final Child child;

  public SluiceUp(Path data) throws IOException {
    var command = new ArrayList<>(List.of("./sluice", "up", "--data", data.toString()));
    int ingest = 0;
    for (String part : PARTS) {
      int port = Ports.claim(0, part, "nothing; start it again");
      ingest = port; // the last of them
      command.addAll(List.of("--port-" + part, Integer.toString(port)));
    }
    api = URI.create("http://127.0.0.1:" + ingest + "/v1/");
    var builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(GIVEN_SERVERS::contains);
    child = new Child(builder, data.resolve("bench-up.log"));
  }

  /** Asks for everything a first user asks for, from the moment the command was given. */
  public double secondsToFirstDispatch() throws IOException, InterruptedException {
    await("workspaces/first", "PUT", "{\"plan\":\"ENTERPRISE\"}");
    await(
        "workspaces/first/definitions/report",
        "PUT",
        "{\"workflowType\":\"Report\",\"taskQueue\":\"reports\"}");
    String answer =
        await("workspaces/first/executions", "POST", "{\"definitionId\":\"report\",\"input\":1}");
    String id = Json.MAPPER.readTree(answer).path("id").asString();
    while (!await("executions/" + id, "GET", "").contains("DISPATCHED")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return (System.nanoTime() - began) / 1e9;
  }

  /** Of all its processes. Memory that several share is counted once, by its parts. */
  public double megabytes() throws IOException {
    double sum = 0;
    for (ProcessHandle part :
        Stream.concat(Stream.of(child.handle()), child.handle().descendants()).toList()) {
      Path rollup = Path.of("/proc", Long.toString(part.pid()), "smaps_rollup");
      if (Files.isReadable(rollup)) {
        for (String line : Files.readAllLines(rollup)) {
          if (line.startsWith("Pss:")) {
            sum += Long.parseLong(line.replaceAll("\\D+", "")) / 1024.0;
          }
        }
      }
    }
    return sum;
  }

  private String await(String path, String method, String body)
      throws IOException, InterruptedException {
    long until = began + PATIENCE.toNanos();
    while (System.nanoTime() - until < 0 && child.isAlive()) {
      try {
        var answer = http.send(request(path, method, body), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 == 2) {
          return answer.body();
        }
      } catch (IOException e) {
        // Not there yet.
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException("./sluice up did not answer " + path);
  }

  private HttpRequest request(String path, String method, String body) {
    return HttpRequest.newBuilder(api.resolve(path))
        .timeout(Duration.ofSeconds(10))
        .header("content-type", "application/json")
        .method(
            method,
            body.isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  @Override
  public void close() {
    child.close();
  }
}
