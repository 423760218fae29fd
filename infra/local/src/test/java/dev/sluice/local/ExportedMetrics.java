package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** What the four services really export, against what docs, rules and dashboards say. */
record ExportedMetrics(Map<String, String> typesOfFamilies, Set<String> samples) {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z][a-zA-Z0-9_]*)[ {]");
  private static final Pattern DOCUMENTED =
      Pattern.compile("\\| `(sluice_\\w+)` \\| (\\w+) \\|(.*)");
  private static final Pattern NAME = Pattern.compile("(?<![\\w:])[a-zA-Z_][\\w:]*+(?!\\s*\\()");

  /** Each is there when its moment comes, a scrape may fall between any two. */
  private static final List<String> LATE =
      List.of(
          "sluice_workspace_pending",
          "sluice_workspace_oldest_pending_seconds",
          "sluice_workspace_slots_held",
          "sluice_workspace_slots_limit",
          "sluice_consumer_lag_seconds");

  private static final Set<String> WORDS =
      Set.of("by", "and", "or", "on", "unless", "bool", "ignoring", "without");

  /** So that everything that needs one has happened. */
  static ExportedMetrics afterARequest(UnaryOperator<String> address) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      String api = address.apply("ingest") + "/v1/workspaces/watched";
      put(http, api, "{\"plan\":\"FREE\"}");
      put(http, api + "/definitions/d", "{\"workflowType\":\"Nobody\",\"taskQueue\":\"nobody\"}");
      for (int i = 0; i < 2; i++) { // one runs for ever, one waits
        send(http, json(api + "/executions", "{\"definitionId\":\"d\"}").build(), 202);
      }
      return await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> scrape(http, address), read -> read.samples().containsAll(LATE));
    }
  }

  void assertDocumented() throws IOException {
    var documented = new TreeMap<String, String>();
    var mayBeAbsent = new TreeSet<String>();
    DOCUMENTED
        .matcher(Files.readString(ROOT.resolve("docs/metrics.md")))
        .results()
        .forEach(
            row -> {
              documented.put(row.group(1), row.group(2));
              if (row.group(3).contains("appears with the first")) {
                mayBeAbsent.add(row.group(1));
              }
            });
    var exported = new TreeMap<>(typesOfFamilies);
    exported.keySet().removeIf(name -> !name.startsWith("sluice_"));
    // Micrometer puts the largest recent value beside every histogram.
    exported.keySet().removeIf(name -> name.endsWith("_max"));
    mayBeAbsent.stream()
        .filter(name -> !exported.containsKey(name))
        .forEach(name -> exported.put(name, String.valueOf(documented.get(name))));
    assertThat(exported).as("docs/metrics.md").isEqualTo(documented);
  }

  void assertEveryQueryFindsItsMetrics() throws IOException {
    var known = new TreeSet<>(samples);
    known.add("up"); // Prometheus' own
    var queries = new ArrayList<String>();
    for (String line :
        Files.readString(ROOT.resolve("infra/prometheus/rules/sluice.yml")).lines().toList()) {
      if (line.strip().startsWith("- record: ")) {
        known.add(line.strip().substring("- record: ".length()));
      } else if (line.strip().startsWith("expr: ")) {
        queries.add(line.strip().substring("expr: ".length()));
      }
    }
    for (String dashboard : List.of("operator", "tenant")) {
      var json =
          JsonMapper.shared()
              .readTree(ROOT.resolve("infra/grafana/dashboards/" + dashboard + ".json"));
      json.findValues("expr").forEach(expr -> queries.add(expr.asString()));
    }
    assertThat(queries).hasSizeGreaterThan(50);
    for (String query : queries) {
      assertThat(namesIn(query)).as(query).isNotEmpty().isSubsetOf(known);
    }
  }

  /** Metrics, without functions, labels and what stands in brackets or quotes. */
  private static Set<String> namesIn(String query) {
    String bare =
        query
            .replaceAll("\\{[^}]*}", "")
            .replaceAll("\\[[^]]*]", "")
            .replaceAll("(by|without|on|ignoring) *\\([^)]*\\)", "");
    return NAME.matcher(bare)
        .results()
        .map(MatchResult::group)
        .filter(name -> !WORDS.contains(name))
        .collect(Collectors.toSet());
  }

  private static ExportedMetrics scrape(HttpClient http, UnaryOperator<String> address)
      throws Exception {
    var types = new TreeMap<String, String>();
    var samples = new TreeSet<String>();
    for (String service : List.of("ingest", "dispatcher", "recovery", "worker")) {
      var request =
          HttpRequest.newBuilder(URI.create(address.apply(service) + "/actuator/prometheus"));
      String text = send(http, request.build(), 200);
      TYPE.matcher(text).results().forEach(type -> types.put(type.group(1), type.group(2)));
      SAMPLE.matcher(text).results().forEach(sample -> samples.add(sample.group(1)));
    }
    return new ExportedMetrics(types, samples);
  }

  private static void put(HttpClient http, String url, String body) throws Exception {
    send(http, json(url, body).PUT(HttpRequest.BodyPublishers.ofString(body)).build(), 200);
  }

  private static HttpRequest.Builder json(String url, String body) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static String send(HttpClient http, HttpRequest request, int expected) throws Exception {
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
    return answer.body();
  }
}
