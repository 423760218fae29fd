package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is shipped beside the jars, judged by the tools of its users where they are installed. */
@Tag("D")
class ShippedFilesTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path CHART = ROOT.resolve("infra/helm/sluice");
  private static final List<String> NEEDED =
      List.of(
          "--kube-version=1.31.0",
          "--set=kafka.bootstrapServers=kafka:9092",
          "--set=database.url=jdbc:postgresql://postgres/sluice",
          "--set=database.existingSecret=database",
          "--set=temporal.address=temporal:7233");

  @Test
  void theAlertsFireWhenTheyShould() throws Exception {
    String promtool = tool("promtool", "Debian's package prometheus has it");
    Path prometheus = ROOT.resolve("infra/prometheus");
    assertThat(run(promtool, "check", "rules", prometheus.resolve("rules/sluice.yml").toString()))
        .contains("SUCCESS");
    assertThat(
            run(promtool, "test", "rules", prometheus.resolve("tests/sluice_test.yml").toString()))
        .contains("SUCCESS");
    assertThat(
            run(
                promtool,
                "check",
                "config",
                "--syntax-only",
                prometheus.resolve("prometheus.yml").toString()))
        .contains("SUCCESS");
  }

  @Test
  void everyAlertHasItsPlaceInTheRunbook() throws IOException {
    String rules = Files.readString(ROOT.resolve("infra/prometheus/rules/sluice.yml"));
    String runbook = Files.readString(ROOT.resolve("docs/runbook.md"));
    List<String> alerts = found(rules, "- alert: (\\w+)");
    assertThat(alerts).hasSizeGreaterThan(8);
    assertThat(found(runbook, "(?m)^## (\\w+)")).containsExactlyElementsOf(alerts);
    assertThat(found(rules, "runbook_url: docs/runbook.md#(\\w+)"))
        .containsExactlyElementsOf(
            alerts.stream().map(alert -> alert.toLowerCase(Locale.ROOT)).toList());
  }

  @Test
  void theChartIsCleanAndRendersAllOfIt() throws Exception {
    String helm = tool("helm", "go install helm.sh/helm/v3/cmd/helm@latest gets it");
    assertThat(run(command(helm, "lint", "--strict", CHART.toString())))
        .contains("0 chart(s) failed");
    String rendered =
        run(
            command(
                helm,
                "template",
                "r",
                CHART.toString(),
                "--set=keda.enabled=true",
                "--set=serviceMonitor.enabled=true",
                "--set=prometheusRule.enabled=true",
                "--set=callbacks.enabled=true",
                "--set=callbacks.existingSecret=callbacks"));
    assertThat(found(rendered, "(?m)^kind: (\\w+)"))
        .containsOnly(
            "Deployment",
            "Service",
            "PodDisruptionBudget",
            "ScaledObject",
            "ServiceMonitor",
            "PrometheusRule");
    assertThat(rendered)
        .contains("readOnlyRootFilesystem: true", "runAsNonRoot: true", "SluiceBreakerOpen")
        .contains("consumerGroup: " + "sluice-dispatcher");
  }

  @Test
  void aMissingAddressIsNamedWithAnExample() throws Exception {
    String helm = tool("helm", "go install helm.sh/helm/v3/cmd/helm@latest gets it");
    var process = start(List.of(helm, "template", "r", CHART.toString(), NEEDED.getFirst()));
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isNotZero();
    assertThat(said).contains("kafka.bootstrapServers is needed, for example");
  }

  /** What compose and the chart give the services is what the services read. */
  @Test
  void everyVariableOfComposeAndChartIsRead() throws IOException {
    var read = new HashSet<String>();
    for (String service : List.of("ingest", "dispatcher", "recovery", "worker")) {
      Path yaml = ROOT.resolve(service + "-service/src/main/resources/" + service + ".yaml");
      read.addAll(found(Files.readString(yaml), "\\$\\{([A-Z_]+)"));
    }
    read.addAll(
        List.of(
            "SLUICE_LOG_FORMAT",
            "SLUICE_TRACE_RATIO",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "SLUICE_HEALTH_PORT"));
    String compose = Files.readString(ROOT.resolve("infra/compose.yaml"));
    String services =
        compose.substring(compose.indexOf("x-environment"), compose.indexOf("x-build"));
    assertThat(found(services, "(?m)^  ([A-Z_]+):")).isSubsetOf(read).hasSizeGreaterThan(8);
    assertThat(found(compose, "(SLUICE_CALLBACK_\\w+):")).isSubsetOf(read).hasSize(2);
    String chart = Files.readString(CHART.resolve("templates/services.yaml"));
    assertThat(found(chart, "name: ([A-Z_]{4,})[,\\n]")).isSubsetOf(read).hasSizeGreaterThan(8);
  }

  private static List<String> found(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static String tool(String name, String whence) {
    Stream<Path> folders =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(Path::of),
            Stream.of(Path.of(System.getProperty("user.home"), ".sluice", "bin")));
    Optional<Path> found =
        folders.map(folder -> folder.resolve(name)).filter(Files::isExecutable).findFirst();
    assumeTrue(found.isPresent(), name + " is not found: " + whence);
    return found.orElseThrow().toString();
  }

  private static List<String> command(String... command) {
    var all = new ArrayList<>(List.of(command));
    all.addAll(NEEDED);
    return all;
  }

  private static String run(String... command) throws Exception {
    return run(List.of(command));
  }

  private static String run(List<String> command) throws Exception {
    var process = start(command);
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
