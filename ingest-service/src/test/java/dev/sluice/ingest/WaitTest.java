package dev.sluice.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.ingest.status.Executions;
import dev.sluice.servers.TestStack;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WaitTest {
  private final Ingest ingest = Ingest.shared();
  private final Rows rows = new Rows(ingest);

  @Test
  void aWaiterIsAnsweredWhenTheWorkflowCloses() {
    UUID id = rows.running(ingest.workspace("FREE"));
    var waiting =
        CompletableFuture.supplyAsync(() -> ingest.get("/v1/executions/" + id + "?wait=PT30S"));
    rows.close(id, "COMPLETED", "42");
    assertThat(
            waiting
                .orTimeout(5, java.util.concurrent.TimeUnit.SECONDS)
                .join()
                .json()
                .at("/workflow/result")
                .asInt())
        .isEqualTo(42);
  }

  @Test
  void aWaiterForAnItemThatIsNoRowYetIsAnsweredAtItsEndToo() {
    String ws = ingest.workspace("FREE");
    UUID id = ExecutionIds.mint();
    var waiting =
        CompletableFuture.supplyAsync(() -> ingest.get("/v1/executions/" + id + "?wait=PT30S"));
    rows.pending(ws, id, "");
    rows.fail(id);
    assertThat(
            waiting
                .orTimeout(5, java.util.concurrent.TimeUnit.SECONDS)
                .join()
                .json()
                .get("status")
                .asString())
        .isEqualTo("FAILED");
  }

  @Test
  void whoWaitsInVainIsToldHowItStands() {
    UUID id = rows.pending(ingest.workspace("FREE"));
    assertThat(ingest.get("/v1/executions/" + id + "?wait=PT0.2S").json().get("status").asString())
        .isEqualTo("PENDING");
  }

  /** The recheck is as good as off here, so it is the event that wakes. */
  @Test
  void anEventWakesWithoutAnyRecheck() throws Exception {
    String database = TestStack.shared().freshDatabase("events");
    try (var own = Ingest.start(database, "--sluice.status.recheck=60s");
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", TestStack.shared().kafka().bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer())) {
      var ownRows = new Rows(own);
      String ws = own.workspace("FREE");
      UUID id = ownRows.running(ws);
      var waiting =
          CompletableFuture.supplyAsync(() -> own.get("/v1/executions/" + id + "?wait=PT50S"));
      ownRows.close(id, "COMPLETED", "1");
      var event =
          CloudEvents.builder(
                  "1",
                  EventTypes.RECOVERY_SOURCE,
                  EventTypes.lifecycle("closed"),
                  "{}".getBytes(UTF_8))
              .withSubject(id.toString())
              .build();
      await()
          .pollInterval(Duration.ofMillis(200))
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                producer.send(CloudEvents.toRecord(Topics.EVENTS, ws, event)).get();
                return waiting.isDone();
              });
      assertThat(waiting.join().status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("T3")
  void tenThousandWaitOnAHandfulOfOperatingSystemThreads() throws Exception {
    String database = TestStack.shared().freshDatabase("many");
    try (var own = Ingest.start(database, "--sluice.status.most-waiters=20000");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var executions = own.bean(Executions.class);
      var waiting = own.bean(MeterRegistry.class).get("sluice.status.waiters").gauge();
      var ownRows = new Rows(own);
      String workspace = own.workspace("FREE");
      int before = ManagementFactory.getThreadMXBean().getThreadCount();
      // Each looks once before it waits and once when it is woken: a thousand at a time, since ten
      // thousand looks at once are not what this is about.
      var pool = own.bean(HikariDataSource.class).getHikariPoolMXBean();
      var all = new LinkedHashMap<UUID, List<Future<String>>>();
      for (int n = 1; n <= 10; n++) {
        UUID id = ownRows.running(workspace);
        Callable<String> wait =
            () -> executions.find(id, Duration.ofSeconds(50)).orElseThrow().workflow().status();
        all.put(id, Stream.generate(() -> threads.submit(wait)).limit(1_000).toList());
        int registered = n * 1_000;
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> waiting.value() == registered && pool.getThreadsAwaitingConnection() == 0);
      }
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - before).isLessThan(20);
      for (var one : all.entrySet()) {
        ownRows.close(one.getKey(), "COMPLETED", "1");
        for (var waiter : one.getValue()) {
          assertThat(waiter.get()).isEqualTo("COMPLETED");
        }
      }
    }
  }

  @Test
  void moreThanThereIsRoomForMayNotWaitButMayStillAsk() {
    String database = TestStack.shared().freshDatabase("few");
    try (var own = Ingest.start(database, "--sluice.status.most-waiters=1")) {
      var ownRows = new Rows(own);
      UUID id = ownRows.running(own.workspace("FREE"));
      var waiting = own.bean(MeterRegistry.class).get("sluice.status.waiters").gauge();
      String path = "/v1/executions/" + id;
      var first = CompletableFuture.supplyAsync(() -> own.get(path + "?wait=PT30S"));
      await().until(() -> waiting.value() == 1);
      var second = own.get(path + "?wait=PT30S");
      assertThat(second.status()).isEqualTo(503);
      assertThat(second.header("retry-after")).isNotEmpty();
      assertThat(own.get(path).status()).isEqualTo(200);
      ownRows.close(id, "COMPLETED", "1");
      assertThat(first.join().status()).isEqualTo(200);
    }
  }

  @Test
  void moreRequestsAtOnceThanThereIsRoomForAreRefusedAndProbesAreNot() {
    String database = TestStack.shared().freshDatabase("in_flight");
    try (var own = Ingest.start(database, "--sluice.http.most-in-flight=1")) {
      var ownRows = new Rows(own);
      UUID id = ownRows.running(own.workspace("FREE"));
      var waiting = own.bean(MeterRegistry.class).get("sluice.status.waiters").gauge();
      var first =
          CompletableFuture.supplyAsync(() -> own.get("/v1/executions/" + id + "?wait=PT30S"));
      await().until(() -> waiting.value() == 1);
      var refused = own.get("/v1/plans");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("content-type")).isEqualTo("application/problem+json");
      assertThat(refused.header("retry-after")).isNotEmpty();
      assertThat(own.get("/actuator/health/readiness").status()).isEqualTo(200);
      ownRows.close(id, "COMPLETED", "1");
      assertThat(first.join().status()).isEqualTo(200);
    }
  }
}
