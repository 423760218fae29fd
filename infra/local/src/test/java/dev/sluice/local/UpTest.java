package dev.sluice.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From outside: a process like the one that {@code ./sluice up} makes. */
@Tag("T6")
class UpTest {
  @TempDir Path folder;
  private final List<LocalProcess> started = new ArrayList<>();

  @AfterEach
  void leavesNothingBehind() throws Exception {
    for (LocalProcess process : started) {
      process.terminate();
      process.exitCode();
    }
  }

  @Test
  void everythingIsReadyGoesOnAfterAKillAndStopsCleanly() throws Exception {
    Path data = folder.resolve("data");
    var killed = start("first.out", "up", data);
    String ready = killed.awaitReady();
    for (String service : new String[] {"ingest", "dispatcher", "recovery", "worker"}) {
      assertThat(status(LocalProcess.address(ready, service) + "/actuator/health/liveness"))
          .isEqualTo(200);
    }
    assertThat(ready).contains("kafka=127.0.0.1:", "postgres=postgresql://", "temporal=127.0.0.1:");
    var metrics = ExportedMetrics.afterARequest(service -> LocalProcess.address(ready, service));
    metrics.assertDocumented();
    metrics.assertEveryQueryFindsItsMetrics();
    assertLagTable(LocalProcess.address(ready, "ingest"));
    killed.kill();

    var second = start("second.out", "up", data);
    assertThat(second.awaitReady()).contains("ingest=");
    long postgres =
        Long.parseLong(Files.readAllLines(data.resolve("postgres/postmaster.pid")).getFirst());

    var third = start("third.out", "infra", data);
    assertThat(third.exitCode()).isEqualTo(2);
    assertThat(third.output()).contains("is running on the data in").doesNotContain("Exception");

    second.terminate();
    assertThat(second.exitCode()).isZero();
    assertThat(second.output()).endsWith("stopped\n").doesNotContain("Exception");
    // Its last moments may overlap with our end: the data is complete before the process is gone.
    ProcessHandle.of(postgres)
        .ifPresent(end -> assertThat(end.onExit()).succeedsWithin(Duration.ofSeconds(10)));
  }

  /** Offsets are committed a moment after what they stand for is done. */
  private static void assertLagTable(String ingest) {
    await()
        .untilAsserted(
            () ->
                assertThat(lagTable(ingest))
                    .contains(
                        "GROUP",
                        "sluice.requests",
                        "sluice.signals",
                        "total lag 0 records, end to end"));
  }

  private static String lagTable(String ingest) {
    var out = new ByteArrayOutputStream();
    int code =
        LagTable.run(
            List.of("--once", "--url", ingest),
            Map.of(),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(code).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  private LocalProcess start(String out, String command, Path data) throws Exception {
    // So that the metrics of single workspaces are there to be looked at.
    var settings = Map.of("SLUICE_METRICS_TOPWORKSPACES", "5", "SLUICE_LAG_EVERY", "500ms");
    var process = LocalProcess.start(folder.resolve(out), command, data, settings);
    started.add(process);
    return process;
  }

  private static int status(String url) throws Exception {
    return ((HttpURLConnection) URI.create(url).toURL().openConnection()).getResponseCode();
  }
}
