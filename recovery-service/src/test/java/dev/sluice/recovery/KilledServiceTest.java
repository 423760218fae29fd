package dev.sluice.recovery;

import static dev.sluice.recovery.TopicReader.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The service as processes of its own, ended with SIGKILL in the middle of the stream. */
class KilledServiceTest {
  private static final Duration STARTED = Duration.ofSeconds(90);
  private static final Duration TAKEN_OVER = Duration.ofSeconds(10);

  /** A frozen process still has its connections: the server waits a while before it ends them. */
  private static final Duration UNFROZEN = Duration.ofSeconds(30);

  private final Fixture fixture = Fixture.fresh(KilledServiceTest.class);
  private final String workspace = "ws-" + UUID.randomUUID();
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), workspace);
  private final Map<String, Process> processes = new HashMap<>();

  @AfterEach
  void close() {
    processes.values().forEach(Process::destroyForcibly);
    fixture.close();
  }

  @Test
  void aConsumerSeesEveryEventInOrderThoughLeadersAreKilledAndFrozen() throws Exception {
    var written = Collections.synchronizedList(new ArrayList<UUID>());
    try (var events = new TopicReader(Topics.EVENTS, workspace);
        var load = Executors.newSingleThreadScheduledExecutor()) {
      start("first");
      start("second");
      awaitInstances(2);
      load.scheduleWithFixedDelay(
          () -> written.add(dispatcher.live()), 0, 20, TimeUnit.MILLISECONDS);
      events.await(STARTED, all -> !all.isEmpty());
      leader().destroyForcibly().waitFor();
      awaitEventsAfter(events, events.poll().size(), TAKEN_OVER);
      start("third");
      awaitInstances(2);
      Process frozen = leader();
      send("STOP", frozen);
      awaitEventsAfter(events, events.poll().size(), UNFROZEN);
      send("CONT", frozen);
      awaitInstances(2);
      load.shutdown();
      assertThat(load.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      events.await(STARTED, all -> distinct(all).size() == written.size() * 4);
      distinctOf(events.poll()).forEach(KilledServiceTest::isAWholeLifeInOrder);
    }
  }

  private static void send(String signal, Process to) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(to.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private static void awaitEventsAfter(TopicReader events, int before, Duration within) {
    events.await(within, all -> all.size() > before + 8);
  }

  private void awaitInstances(int count) {
    await().atMost(STARTED).until(() -> instances("true").size() == count);
  }

  private Process leader() {
    String leader =
        instances("exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory')")
            .getFirst();
    return Objects.requireNonNull(processes.get(leader));
  }

  /** Those that hold or wait for the lead, as the database sees them. */
  private List<String> instances(String which) {
    return fixture
        .sql()
        .sql(
            "select substr(application_name, 17) from pg_stat_activity a where datname ="
                + " current_database() and application_name like 'sluice-recovery %' and "
                + which)
        .query(String.class)
        .list();
  }

  private static void isAWholeLifeInOrder(String execution, Set<String> ids) {
    assertThat(ids)
        .as("events of %s, without repetitions", execution)
        .containsExactly(
            execution + ":1", execution + ":2", execution + ":3", execution + ":closed");
  }

  private static Set<String> distinct(List<ConsumerRecord<String, byte[]>> all) {
    var ids = new LinkedHashSet<String>();
    all.forEach(e -> ids.add(header(e, "ce_id")));
    return ids;
  }

  private static Map<String, Set<String>> distinctOf(List<ConsumerRecord<String, byte[]>> all) {
    var of = new LinkedHashMap<String, Set<String>>();
    all.forEach(
        e ->
            of.computeIfAbsent(header(e, "ce_subject"), id -> new LinkedHashSet<>())
                .add(header(e, "ce_id")));
    return of;
  }

  private void start(String instance) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            RecoveryApplication.class.getName(),
            "--server.port=0",
            "--spring.kafka.bootstrap-servers=" + Fixture.bootstrapServers(),
            "--sluice.database.url=" + fixture.database().url(),
            "--sluice.temporal.address=" + TestStack.shared().temporal().address(),
            "--sluice.recovery.relay.slot=" + fixture.slot(),
            "--sluice.recovery.lead.instance=" + instance,
            "--sluice.kafka.partitions=3");
    var log = new File("target/killed-service-" + instance + ".log");
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    processes.put(instance, process);
  }
}
