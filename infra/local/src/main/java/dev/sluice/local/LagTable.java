package dev.sluice.local;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./sluice lag}: how far the dispatchers are behind, as a table that is drawn anew every two
 * seconds, or once.
 */
final class LagTable {
  static final String USAGE =
      """
      usage: ./sluice lag [--once] [--url URL]
        --once     one table, for scripts
        --url URL  of an ingest-service (default http://127.0.0.1:8080, or SLUICE_URL)
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final String CLEAR = "\033[H\033[2J";
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  private final PrintStream out;
  private final URI lag;
  private final boolean once;

  private LagTable(PrintStream out, String url, boolean once) {
    this.out = out;
    this.lag = URI.create(url.replaceAll("/+$", "") + "/v1/lag");
    this.once = once;
  }

  static int run(List<String> arguments, Map<String, String> environment, PrintStream out) {
    String url =
        environment.getOrDefault(
            "SLUICE_URL",
            "http://127.0.0.1:" + environment.getOrDefault("SLUICE_INGEST_PORT", "8080"));
    boolean once = false;
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--once" -> once = true;
        case "--url" -> url = ++i < arguments.size() ? arguments.get(i) : "";
        case "-h", "--help" -> {
          out.print(USAGE);
          return 0;
        }
        default -> {
          System.err.print("sluice: there is no option " + arguments.get(i) + "\n" + USAGE);
          return WRONG_USE;
        }
      }
    }
    if (!url.matches("https?://[^\\s/]+/*")) {
      System.err.printf(
          "sluice: --url is \"%s\"; it must be the address of an ingest-service, for example"
              + " http://127.0.0.1:8080%n",
          url);
      return WRONG_USE;
    }
    return new LagTable(out, url, once).run();
  }

  private int run() {
    try (var http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      while (true) {
        String table = read(http);
        out.print(once ? table : CLEAR + table);
        out.flush();
        if (once) {
          return 0;
        }
        Thread.sleep(PAUSE);
      }
    } catch (NotKnown e) {
      System.err.println("sluice: " + e.getMessage());
      return FAILED;
    } catch (IOException e) {
      System.err.printf("sluice: %s does not answer; is ingest-service running there?%n", lag);
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private String read(HttpClient http) throws IOException, InterruptedException {
    var answer =
        http.send(
            HttpRequest.newBuilder(lag).timeout(PATIENCE).build(),
            HttpResponse.BodyHandlers.ofString());
    JsonNode body = JsonMapper.shared().readTree(answer.body());
    if (answer.statusCode() != 200) {
      throw new NotKnown(
          "%s says %d: %s".formatted(lag, answer.statusCode(), body.path("detail").asString("")));
    }
    return table(body);
  }

  /** A line per partition, and the sums. */
  static String table(JsonNode lag) {
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%-18s %-16s %9s %12s %12s %10s %9s  %s%n",
            "GROUP",
            "TOPIC",
            "PARTITION",
            "COMMITTED",
            "END",
            "LAG",
            "SECONDS",
            "MEMBER"));
    for (JsonNode p : lag.path("groups")) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-18s %-16s %9d %12s %12d %10d %9s  %s%n",
              p.path("group").asString(""),
              p.path("topic").asString(""),
              p.path("partition").asInt(),
              p.has("committed") ? p.path("committed").asString() : "-",
              p.path("end").asLong(),
              p.path("lag").asLong(),
              seconds(p.path("lagSeconds")),
              p.path("member").asString("nobody")));
    }
    return text.append(
            String.format(
                Locale.ROOT,
                "total lag %d records, end to end %s s%n",
                lag.path("totalLag").asLong(),
                seconds(lag.path("endToEndSeconds"))))
        .toString();
  }

  private static String seconds(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.1f", value.asDouble()) : "?";
  }

  private static final class NotKnown extends IOException {
    private static final long serialVersionUID = 1;

    NotKnown(String message) {
      super(message);
    }
  }
}
