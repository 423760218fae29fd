package dev.sluice.recovery.relay;

import static dev.sluice.recovery.TopicReader.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.contracts.Json;
import dev.sluice.contracts.LifecycleEvent;
import dev.sluice.contracts.Topics;
import dev.sluice.recovery.DispatcherStandIn;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.TopicReader;
import dev.sluice.servers.TestStack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final List<String> WHOLE_LIFE =
      List.of("pending", "claimed", "dispatched", "closed");

  private final Fixture fixture = Fixture.fresh(RelayTest.class);
  private final String workspace = "ws-" + UUID.randomUUID();
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), workspace);
  private TopicReader events;

  @BeforeEach
  void listen() {
    events = new TopicReader(Topics.EVENTS, workspace);
  }

  @AfterEach
  void close() {
    events.close();
    fixture.close();
  }

  @Test
  void everyStateChangeIsAnEventInOrder() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      UUID id = dispatcher.live();
      var seen = events.await(SOON, all -> all.size() >= 4);
      assertThat(kindsOf(seen, id)).isEqualTo(WHOLE_LIFE);
      assertThat(seen)
          .extracting(e -> header(e, "ce_id"))
          .containsExactly(id + ":1", id + ":2", id + ":3", id + ":closed");
      assertThat(seen)
          .extracting(e -> header(e, "ce_source"))
          .containsOnly("urn:sluice:dispatcher");
      assertThat(rig.followed).extracting(OutboxEvent::kind).isEqualTo(WHOLE_LIFE);
      assertThat(fixture.sql().sql("select count(*) from outbox").query(Long.class).single())
          .isZero();
    }
  }

  @Test
  void anEventCarriesTraceAndDataAsGiven() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      dispatcher.live();
      var seen = events.await(SOON, all -> all.size() >= 4);
      assertThat(header(seen.getFirst(), "ce_traceparent")).startsWith("00-0af7651916cd43dd");
      assertThat(new String(seen.getLast().value(), UTF_8)).contains("\"result\":{\"pages\":3.10}");
      var first = Json.MAPPER.readValue(seen.getFirst().value(), LifecycleEvent.class);
      assertThat(first.workspaceId()).isEqualTo(workspace);
      assertThat(first.status()).isEqualTo("PENDING");
      assertThat(first.replay()).isNull();
    }
  }

  /** Whatever the dispatcher's statements say of a change, consumers read the same. */
  @Test
  void aChangeToldInAFewWordsIsTheEventToldInFull() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      fixture
          .sql()
          .sql(
              """
              select tell_change(c.id, 3, :workspace, c.definition, c.state, c.at, 2, c.trace, c.run),
                     tell(c.id || ':3', c.id, :workspace, lower(c.state), c.at, c.trace,
                          lifecycle_event(c.id, :workspace, c.definition, c.state, c.at, 2, 'workflow',
                            case when c.state = 'DISPATCHED' then workflow_of_event(c.id, c.run, 'RUNNING') end))
                from (values
                  (gen_random_uuid(), 'report', 'CLAIMED', timestamptz '2026-11-17 20:30:00.5+01', null, null),
                  (gen_random_uuid(), E'a "b" \\\\ \u00fc', 'DISPATCHED', now(), '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'run'),
                  (gen_random_uuid(), 'report', 'DISPATCHED', now(), null, null)) as c(id, definition, state, at, trace, run)
              """)
          .param("workspace", workspace)
          .query()
          .listOfRows();
      var seen = events.await(SOON, all -> all.size() >= 6);
      for (int n = 0; n < 6; n += 2) {
        assertThat(new String(seen.get(n).value(), UTF_8))
            .isEqualTo(new String(seen.get(n + 1).value(), UTF_8));
        assertThat(headersOf(seen.get(n))).isEqualTo(headersOf(seen.get(n + 1)));
      }
    }
  }

  @Test
  void aCloseToldInAFewWordsIsTheEventToldInFull() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      fixture
          .sql()
          .sql(
              """
              select tell_close(c.id, :workspace, c.definition, c.at, 2, c.trace, c.run, c.status, c.result, c.error),
                     tell(c.id || ':closed', c.id, :workspace, 'closed', c.at, c.trace,
                          lifecycle_event(c.id, :workspace, c.definition, 'DISPATCHED', c.at, 2, 'workflow',
                            workflow_of_event(c.id, c.run, c.status, c.result, c.error)))
                from (values
                  (gen_random_uuid(), 'report', timestamptz '2026-11-17 20:30:00.5+01', null, null, 'TERMINATED', null::json, null),
                  (gen_random_uuid(), E'a "b" \\\\ \u00fc', now(), '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'run',
                   'COMPLETED', '{"pages": 3.10, "of": [1e2, null]}', null),
                  (gen_random_uuid(), 'report', now(), null, 'run', 'COMPLETED', 'null', null),
                  (gen_random_uuid(), 'report', now(), null, 'run', 'FAILED', null, E'no "paper"\\n'))
                  as c(id, definition, at, trace, run, status, result, error)
              """)
          .param("workspace", workspace)
          .query()
          .listOfRows();
      var seen = events.await(SOON, all -> all.size() >= 8);
      for (int n = 0; n < 8; n += 2) {
        assertThat(new String(seen.get(n).value(), UTF_8))
            .isEqualTo(new String(seen.get(n + 1).value(), UTF_8));
        assertThat(headersOf(seen.get(n))).isEqualTo(headersOf(seen.get(n + 1)));
      }
    }
  }

  @Test
  void aRolledBackChangeIsNoEvent() throws Exception {
    try (var rig = new RelayRig(fixture).streaming();
        var connection = fixture.pool().getConnection()) {
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement()) {
        statement.execute(
            "insert into outbox (event_id, execution_id, workspace_id, kind, data)"
                + " values ('gone', gen_random_uuid(), '%s', 'pending', '{}')"
                    .formatted(workspace));
      }
      connection.rollback();
      UUID id = dispatcher.accept();
      var seen = events.await(SOON, all -> !all.isEmpty());
      assertThat(kindsOf(seen, id)).containsExactly("pending");
      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void whatHappenedWhileNobodyStreamedIsToldAfterwards() throws Exception {
    new RelayRig(fixture).streaming().close();
    var ids = IntStream.range(0, 50).mapToObj(n -> dispatcher.live()).toList();
    try (var rig = new RelayRig(fixture).streaming()) {
      awaitWholeLivesOf(ids);
      assertThat(rig.count("sluice.outbox.events.replayed")).isZero();
    }
  }

  @Test
  void aStreamThatIsCutAgainAndAgainLosesNothing() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      var ids = new ArrayList<UUID>();
      for (int cut = 0; cut < 4; cut++) {
        IntStream.range(0, 40).forEach(n -> ids.add(dispatcher.live()));
        cutTheStream();
        await().atMost(SOON).until(() -> rig.relay.runOnce() != Relay.Round.STREAMING);
        rig.streaming();
      }
      awaitWholeLivesOf(ids);
      assertThat(rig.count("sluice.outbox.stream.restarts")).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void aDroppedSlotIsMadeAgainAndWhatItMissedIsReplayed() throws Exception {
    new RelayRig(fixture).streaming().close();
    fixture
        .sql()
        .sql("select pg_drop_replication_slot(?)")
        .param(fixture.slot())
        .query()
        .singleRow();
    var ids = IntStream.range(0, 20).mapToObj(n -> dispatcher.live()).toList();
    UUID waiting = dispatcher.accept();
    try (var rig = new RelayRig(fixture).streaming()) {
      awaitWholeLivesOf(ids);
      assertThat(events.poll()).allSatisfy(e -> assertThat(isReplay(e)).isTrue());
      assertThat(kindsOf(events.poll(), waiting)).containsExactly("pending");
      assertThat(idsOf(events.poll(), ids.getFirst()))
          .containsExactly(
              ids.getFirst() + ":1",
              ids.getFirst() + ":2",
              ids.getFirst() + ":3",
              ids.getFirst() + ":closed");
      assertThat(rig.count("sluice.replication.slot.remade")).isEqualTo(1);
      UUID next = dispatcher.live();
      awaitWholeLivesOf(List.of(next));
    }
  }

  @Test
  void aDroppedPublicationIsMadeAgainAndWhatWasMissedIsReplayed() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      fixture.sql().sql("drop publication sluice_outbox").update();
      UUID meanwhile = dispatcher.live();
      await()
          .atMost(SOON)
          .ignoreExceptions()
          .until(
              () -> {
                rig.relay.runOnce();
                rig.watch.runOnce();
                return rig.count("sluice.replication.slot.remade") >= 2;
              });
      rig.streaming();
      UUID after = dispatcher.live();
      awaitWholeLivesOf(List.of(meanwhile, after));
    }
  }

  @Test
  void aSlotThatSomebodyElseMovedOnMakesUsReplay() throws Exception {
    new RelayRig(fixture).streaming().close();
    UUID skipped = dispatcher.live();
    fixture
        .sql()
        .sql("select pg_replication_slot_advance(?, pg_current_wal_lsn())")
        .param(fixture.slot())
        .query()
        .singleRow();
    try (var rig = new RelayRig(fixture).streaming()) {
      awaitWholeLivesOf(List.of(skipped));
    }
  }

  @Test
  void aReplayInterruptedByACrashIsDoneLater() throws Exception {
    new RelayRig(fixture).streaming().close();
    UUID id = dispatcher.live();
    // What a crash between the new slot and the end of the replay leaves behind.
    fixture
        .sql()
        .sql("update relay_state set replay_since = '-infinity', replay_reason = 'slot-missing'")
        .update();
    try (var rig = new RelayRig(fixture).streaming()) {
      awaitWholeLivesOf(List.of(id));
      assertThat(rig.count("sluice.outbox.events.replayed")).isEqualTo(4);
    }
  }

  @Test
  void aMessageThatCannotBeAnEventIsSetAsideAndStopsNothing() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      emit("not json at all");
      emit("{\"event_id\": \"x\"}");
      emit("{\"event_id\":\"x\",\"execution_id\":\"no uuid\",\"workspace_id\":\"w\"}");
      tooLarge();
      UUID id = dispatcher.live();
      awaitWholeLivesOf(List.of(id));
      // Written down when the whole batch is done with, so the others may be on the topic before.
      await().atMost(SOON).until(() -> rig.count("sluice.outbox.set.aside") == 4);
      assertThat(
              fixture
                  .sql()
                  .sql("select reason from outbox_set_aside order by id")
                  .query(String.class)
                  .list())
          .containsExactly("not-json", "incomplete", "incomplete", "refused-by-broker");
    }
  }

  @Test
  void whileKafkaIsAwayTheRelayWaitsAndStopsWhenAsked() throws Exception {
    try (var rig = new RelayRig(fixture, Map.of("bootstrap.servers", "127.0.0.1:9")).streaming()) {
      dispatcher.live();
      await().pollDelay(Duration.ofSeconds(3)).atMost(SOON).until(rig.relay::isStreaming);
    }
    try (var rig = new RelayRig(fixture).streaming()) {
      events.await(SOON, all -> all.size() >= 4);
    }
  }

  @Test
  void whoLosesTheLeadStopsStreaming() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      rig.leads.set(false);
      assertThat(rig.relay.runOnce()).isEqualTo(Relay.Round.STOPPED);
      assertThat(rig.relay.runOnce()).isEqualTo(Relay.Round.STANDING_BY);
      assertThat(rig.relay.isStreaming()).isFalse();
    }
  }

  @Test
  void aSlotTheServerInvalidatedIsMadeAgainAndWhatItMissedIsReplayed() throws Exception {
    new RelayRig(fixture).streaming().close();
    UUID missed = dispatcher.live();
    await().atMost(Duration.ofMinutes(2)).until(this::isLost);
    try (var rig = new RelayRig(fixture).streaming()) {
      awaitWholeLivesOf(List.of(missed));
      assertThat(events.poll()).allSatisfy(e -> assertThat(isReplay(e)).isTrue());
    }
  }

  /** Writes log until the server has had enough of keeping it for a slot nobody reads. */
  private boolean isLost() throws SQLException {
    String server = TestStack.shared().postgres().jdbcUrl("postgres");
    try (var admin = DriverManager.getConnection(server, "postgres", "");
        var statement = admin.createStatement()) {
      for (int segment = 0; segment < 16; segment++) {
        statement.execute("select pg_logical_emit_message(false, 'filler', 'x')");
        statement.execute("select pg_switch_wal()");
      }
      statement.execute("checkpoint");
    }
    return fixture
        .sql()
        .sql("select wal_status = 'lost' from pg_replication_slots where slot_name = ?")
        .param(fixture.slot())
        .query(Boolean.class)
        .single();
  }

  @Test
  void anIdleSlotMovesOnWithTheHeartbeat() throws Exception {
    try (var rig = new RelayRig(fixture).streaming()) {
      String before = confirmed();
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofMillis(600))
          .until(
              () -> {
                rig.watch.runOnce();
                return !confirmed().equals(before);
              });
      assertThat(rig.meters.get("sluice.replication.slot.lag").gauge().value()).isNotNegative();
      assertThat(rig.meters.get("sluice.outbox.relay.lag").gauge().value()).isLessThan(5);
    }
  }

  private String confirmed() {
    return fixture
        .sql()
        .sql("select confirmed_flush_lsn::text from pg_replication_slots where slot_name = ?")
        .param(fixture.slot())
        .query(String.class)
        .single();
  }

  private void cutTheStream() {
    fixture
        .sql()
        .sql(
            "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = ?")
        .param(fixture.slot())
        .query()
        .singleRow();
  }

  private void emit(String content) {
    fixture
        .sql()
        .sql("select pg_logical_emit_message(true, 'sluice.outbox', ?)")
        .param(content)
        .query()
        .singleRow();
  }

  private void tooLarge() {
    fixture
        .sql()
        .sql(
            """
            insert into outbox (event_id, execution_id, workspace_id, kind, data)
            values ('large', gen_random_uuid(), ?, 'closed', json_build_object('result', repeat('x', 5000000)))
            """)
        .param(workspace)
        .update();
  }

  private void awaitWholeLivesOf(List<UUID> ids) {
    events.await(SOON, all -> ids.stream().allMatch(id -> idsOf(all, id).contains(id + ":closed")));
    for (UUID id : ids) {
      assertThat(firstKindsOf(events.poll(), id)).as("events of %s", id).isEqualTo(WHOLE_LIFE);
    }
  }

  private static List<String> idsOf(List<ConsumerRecord<String, byte[]>> all, UUID id) {
    return of(all, id).stream().map(e -> header(e, "ce_id")).toList();
  }

  private static List<String> kindsOf(List<ConsumerRecord<String, byte[]>> all, UUID id) {
    return of(all, id).stream().map(RelayTest::kind).toList();
  }

  /** Without the repetitions that a consumer drops by their id. */
  private static List<String> firstKindsOf(List<ConsumerRecord<String, byte[]>> all, UUID id) {
    return List.copyOf(
        of(all, id).stream()
            .collect(
                Collectors.toMap(
                    e -> header(e, "ce_id"),
                    RelayTest::kind,
                    (first, again) -> first,
                    LinkedHashMap::new))
            .values());
  }

  private static List<ConsumerRecord<String, byte[]>> of(
      List<ConsumerRecord<String, byte[]>> all, UUID id) {
    return all.stream().filter(e -> header(e, "ce_subject").equals(id.toString())).toList();
  }

  private static String kind(ConsumerRecord<String, byte[]> event) {
    return header(event, "ce_type").split("\\.")[2];
  }

  private static boolean isReplay(ConsumerRecord<String, byte[]> event) {
    return Boolean.TRUE.equals(Json.MAPPER.readValue(event.value(), LifecycleEvent.class).replay());
  }

  private static Map<String, String> headersOf(ConsumerRecord<String, byte[]> event) {
    var headers = new LinkedHashMap<String, String>();
    event.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    return headers;
  }
}
