package dev.sluice.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ingest.Ingest.Answer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a browser gets, without one: what the page does in it was seen by hand. */
@Tag("P3")
class PageTest {
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private static final Map<String, String> TYPES =
      Map.of("/", "text/html", "css", "text/css", "js", "text/javascript", "svg", "image/svg+xml");

  private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"([^\"#]+)\"");
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");

  /** {@code name: ["GET", "/v1/…", "parameter", …]} */
  private static final Pattern CALL =
      Pattern.compile("\\w+: \\[\"([A-Z]+)\", \"(/v1/[^\"]*)\"((?:, \"\\w+\")*)\\]");

  private final Ingest ingest = Ingest.shared();

  @Test
  void thePageAndAllThatItIsMadeOfAreServedAndAllowNothingElse() {
    var files = files();
    assertThat(files).containsKeys("/", "/page/page.css", "/page/app.js", "/page/api.js");
    files.forEach(
        (path, answer) -> {
          assertThat(answer.status()).as(path).isEqualTo(200);
          assertThat(answer.header("content-type"))
              .as(path)
              .startsWith(TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
          assertThat(answer.header("content-security-policy")).as(path).isEqualTo(POLICY);
          assertThat(answer.header("x-content-type-options")).as(path).isEqualTo("nosniff");
          assertThat(answer.header("referrer-policy")).as(path).isEqualTo("no-referrer");
          assertThat(answer.header("cache-control")).as(path).isEqualTo("no-cache");
        });
  }

  @Test
  void whatTheBrowserHasAlreadyIsNotSentAgain() {
    files()
        .forEach(
            (path, answer) -> {
              String tag = answer.header("etag");
              assertThat(tag).as(path).isNotEmpty();
              assertThat(get(path, "If-None-Match", tag).status()).as(path).isEqualTo(304);
              assertThat(get(path, "If-None-Match", "\"another\"").status()).isEqualTo(200);
            });
  }

  /** The policy would keep a browser from running or loading any of this. */
  @Test
  void nothingIsInlineNorFromElsewhere() {
    String html = files().get("/").response().body();
    assertThat(html).doesNotContainPattern("<script(?![^>]* src=)[^>]*>");
    assertThat(html).doesNotContain("<style").doesNotContainPattern("\\s(style|on\\w+)=");
    files()
        .forEach(
            (path, answer) ->
                assertThat(answer.response().body().replace("http://www.w3.org/2000/svg", ""))
                    .as(path)
                    .doesNotContainPattern("(?i)https?:|src=\"//|@import|url\\("));
  }

  @Test
  void dataNeverBecomesMarkup() {
    scripts()
        .forEach(
            (path, script) ->
                assertThat(script)
                    .as(path)
                    .doesNotContainPattern(
                        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|eval\\("
                            + "|new Function|srcdoc|createContextualFragment"));
  }

  @Test
  void everyCallOfThePageIsInTheOpenApiDocument() {
    JsonNode paths = ingest.get("/v1/openapi.json").json().get("paths");
    String table = scripts().get("/page/api.js");
    var calls = CALL.matcher(table).results().toList();
    assertThat(calls).hasSizeGreaterThan(8);
    assertThat(calls).as("read as calls").hasSize(count(table, "\"/v1/"));
    for (MatchResult call : calls) {
      JsonNode operation = paths.path(call.group(2)).path(call.group(1).toLowerCase());
      assertThat(operation.isObject()).as(call.group()).isTrue();
      assertThat(names(operation.path("parameters"), "query"))
          .as(call.group())
          .containsAll(words(call.group(3)));
    }
  }

  @Test
  void noOtherScriptKnowsAPathOfTheApi() {
    scripts().entrySet().stream()
        .filter(file -> !file.getKey().equals("/page/api.js"))
        .forEach(file -> assertThat(file.getValue()).as(file.getKey()).doesNotContain("v1/"));
  }

  @Test
  void whatTheCreateDialogAsksForIsWhatTheApiTakes() {
    JsonNode schemas = ingest.get("/v1/openapi.json").json().at("/components/schemas");
    var asked = fieldsOf("/page/create-dialog.js");
    assertThat(asked)
        .contains("definitionId", "input", "priority", "idempotencyKey", "notBefore", "deadline");
    assertThat(schemas.at("/ExecutionBody/properties").propertyNames()).containsAll(asked);
    assertThat(fieldsOf("/page/actions.js"))
        .containsExactlyInAnyOrder("reason", "terminateAfter", "until");
  }

  @Test
  void theFiltersKnowEveryState() {
    JsonNode states =
        ingest.get("/v1/openapi.json").json().at("/paths/~1v1~1workspaces~1{ws}~1executions/get");
    String known =
        states
            .get("parameters")
            .valueStream()
            .filter(parameter -> parameter.get("name").asString().equals("status"))
            .map(parameter -> parameter.at("/schema/enum").toString())
            .findFirst()
            .orElseThrow();
    assertThat(scripts().get("/page/app.js").replace(", ", ",")).contains("STATES = " + known);
  }

  @Test
  void everythingElseIsStillAProblemDocument() {
    for (String path :
        List.of(
            "/nothing",
            "/index.html",
            "/page",
            "/page/",
            "/page/index.html",
            "/page/nothing.js",
            "/page/deeper/app.js",
            "/page/..;/ingest.yaml",
            "/ingest.yaml",
            "/v1/nothing")) {
      var answer = get(path, "Accept", "text/html");
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertProblem(answer);
    }
    var post = HttpRequest.newBuilder().POST(BodyPublishers.noBody());
    var answer = ingest.send(post, "/");
    assertThat(answer.status()).isEqualTo(405);
    assertProblem(answer);
  }

  @Test
  void theApiAnswersAsBefore() {
    var answer = ingest.get("/v1/plans");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    assertThat(answer.header("content-security-policy")).isEmpty();
    assertThat(answer.header("cache-control")).isEmpty();
    assertThat(ingest.get("/v1/openapi.json").json().get("paths").propertyNames())
        .allMatch(path -> path.startsWith("/v1/"));
  }

  private static void assertProblem(Answer answer) {
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.header("content-security-policy")).isEmpty();
    assertThat(answer.json().get("status").asInt()).isEqualTo(answer.status());
  }

  /** The page, what it refers to, what that imports, and so on: path to answer. */
  private Map<String, Answer> files() {
    var files = new TreeMap<String, Answer>();
    var open = new ArrayDeque<>(List.of("/"));
    while (!open.isEmpty()) {
      String path = open.remove();
      Answer answer = files.computeIfAbsent(path, ingest::get);
      Pattern reference = path.endsWith(".js") ? IMPORT : REFERENCE;
      reference
          .matcher(answer.response().body())
          .results()
          .map(found -> URI.create(path).resolve(found.group(1)).toString())
          .filter(Predicate.not(files::containsKey))
          .forEach(open::add);
    }
    return files;
  }

  private Map<String, String> scripts() {
    var scripts = new TreeMap<String, String>();
    files().forEach((path, answer) -> scripts.put(path, answer.response().body()));
    scripts.keySet().removeIf(path -> !path.endsWith(".js"));
    return scripts;
  }

  private List<String> fieldsOf(String script) {
    return Pattern.compile("\\{ name: \"(\\w+)\"")
        .matcher(scripts().get(script))
        .results()
        .map(field -> field.group(1))
        .toList();
  }

  private Answer get(String path, String header, String value) {
    return ingest.send(HttpRequest.newBuilder().header(header, value).GET(), path);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private static List<String> words(String list) {
    return Arrays.stream(list.split("\\W+")).filter(Predicate.not(String::isEmpty)).toList();
  }

  private static List<String> names(JsonNode parameters, String in) {
    return parameters
        .valueStream()
        .filter(parameter -> parameter.get("in").asString().equals(in))
        .map(parameter -> parameter.get("name").asString())
        .toList();
  }
}
