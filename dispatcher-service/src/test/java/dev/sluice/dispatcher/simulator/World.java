package dev.sluice.dispatcher.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.ledger.Claim;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** All that is outside of the dispatchers: producers, operators, Kafka, Temporal and the clock. */
final class World {
  static final String JOB = "job";

  /** A definition with a limit of one. */
  static final String NARROW = "narrow";

  static final int MAX_ATTEMPTS = 3;

  final Dice dice;
  final Mutation mutation;
  final ManualTimer.Clock clock = new ManualTimer.Clock();
  final FakeKafka kafka = new FakeKafka();
  final FakeTemporal temporal;
  final Judge judge;
  final Map<UUID, Item> items = new LinkedHashMap<>();
  final List<String> workspaces = new ArrayList<>();
  final Setting setting;
  private final JdbcTemplate jdbc;

  /** Up to so many requests at a time are a few: in every second seed two are many. */
  final int few;

  private final String prefix;
  private boolean losesSignals;
  private final Map<String, Integer> requestPartitions = new HashMap<>();
  private final Map<UUID, ProducerRecord<String, byte[]>> requests = new HashMap<>();

  World(
      long seed,
      Dice dice,
      Setting setting,
      JdbcTemplate jdbc,
      Mutation mutation,
      Consumer<String> note) {
    this.dice = dice;
    this.setting = setting;
    this.jdbc = jdbc;
    this.mutation = mutation;
    this.prefix = "s" + seed + ".";
    this.few = seed % 2 == 0 ? 1 : 16;
    this.judge = new Judge(items, jdbc);
    this.temporal = new FakeTemporal(judge::started, call -> note.accept(call + " is sent"));
    this.losesSignals = setting.faults().contains(Fault.LOST_SIGNAL);
    judge.watch(temporal);
  }

  /** From now on every signal arrives. */
  void loseNothingMore() {
    losesSignals = false;
  }

  void addWorkspace(int limit) {
    String id = prefix + "w" + workspaces.size();
    workspaces.add(id);
    requestPartitions.put(id, dice.below(FakeKafka.PARTITIONS));
    jdbc.update(
        "insert into workspace (id, plan_id, concurrency_limit) values (?, 'FREE', ?)", id, limit);
    addDefinition(id, JOB, null);
    // One with a limit is enough to keep a workspace from the short ways that most of them take.
    if (setting.faults().contains(Fault.SPECIAL_ITEMS)) {
      addDefinition(id, NARROW, 1);
    }
    judge.limit(id, limit);
  }

  private void addDefinition(String workspace, String id, @Nullable Integer limit) {
    jdbc.update(
        "insert into workflow_definition (workspace_id, id, current_version, max_attempts,"
            + " concurrency_limit) values (?, ?, 1, ?, ?)",
        workspace,
        id,
        MAX_ATTEMPTS,
        limit);
    jdbc.update(
        "insert into workflow_definition_version (workspace_id, definition_id, version,"
            + " workflow_type, task_queue) values (?, ?, 1, 'T', 'q')",
        workspace,
        id);
  }

  /** Leaves nothing for the next seed to find. */
  void clear() {
    jdbc.update("delete from workflow_execution_queue where workspace_id = any(?)", names());
    jdbc.update("delete from workspace where id = any(?)", names());
  }

  Item request(String workspace, boolean special) {
    String key = "k" + items.size();
    var item =
        new Item(
            ExecutionIds.ofKey(workspace, key),
            workspace,
            special && dice.oneIn(6) ? NARROW : JOB,
            dice.oneIn(3) ? 2 : 5,
            special && dice.oneIn(5) ? "p" + dice.below(2) : null,
            special && dice.oneIn(8),
            special && dice.oneIn(10),
            special && dice.percent(setting.refusedInAHundred())
                ? dice.between(1, MAX_ATTEMPTS)
                : 0);
    items.put(item.id, item);
    var record = record(EventTypes.REQUESTED, workspace, requestBody(item, key));
    requests.put(item.id, record);
    kafka.append(record, requestPartitions.get(workspace));
    return item;
  }

  private static String requestBody(Item item, String key) {
    var body = new StringBuilder("{\"input\":{},\"workspaceId\":\"" + item.workspaceId + '"');
    body.append(",\"definitionId\":\"").append(item.definitionId).append('"');
    body.append(",\"idempotencyKey\":\"").append(key).append('"');
    body.append(",\"priority\":").append(item.priority);
    Instant now = Instant.now();
    if (item.partitionKey != null) {
      body.append(",\"partitionKey\":\"").append(item.partitionKey).append('"');
    }
    if (item.delayed) {
      body.append(",\"notBefore\":\"").append(now.plus(1, ChronoUnit.HOURS)).append('"');
    }
    if (item.expires) {
      body.append(",\"expiresAt\":\"").append(now.plus(5, ChronoUnit.HOURS)).append('"');
    }
    return body.append('}').toString();
  }

  /** The producer, or Kafka, sends the same again. */
  void repeat(Item item) {
    kafka.append(requests.get(item.id), requestPartitions.get(item.workspaceId));
  }

  void cancel(Item item) {
    item.cancelAsked = true;
    String body = "{\"workspaceId\":\"%s\",\"id\":\"%s\"}".formatted(item.workspaceId, item.id);
    kafka.append(
        record(EventTypes.CANCEL_REQUESTED, item.workspaceId, body),
        requestPartitions.get(item.workspaceId));
  }

  void signal(Signal signal) {
    publishSignal(SignalCodec.encode(signal, EventTypes.RECOVERY_SOURCE));
  }

  void publishSignal(ProducerRecord<String, byte[]> record) {
    if (!losesSignals || !dice.oneIn(3)) {
      kafka.append(record, Topics.homePartition(record.key(), FakeKafka.PARTITIONS));
    }
  }

  void changeLimit(String workspace, int limit) {
    jdbc.update("update workspace set concurrency_limit = ? where id = ?", limit, workspace);
    judge.limit(workspace, limit);
    signal(new Signal.CapacityChanged(workspace));
  }

  /** As if the database's clock went on: what is due is moved towards it. */
  void passHours(int hours) {
    jdbc.update(
        "update workflow_execution_queue set ready_at = ready_at - s.gone, expires_at = expires_at"
            + " - s.gone, claimed_at = claimed_at - s.gone from (select ? * interval '1 hour') as"
            + " s(gone) where workspace_id = any(?) and state in ('PENDING', 'CLAIMED')",
        hours,
        names());
  }

  /** Decided when the call is sent: what Temporal refuses lies in the request. */
  boolean isRefused(Claim claim) {
    Item item = items.get(claim.id());
    return item != null && claim.attempts() < item.refusals;
  }

  /** One parameter, not many: so not an array to the compiler. */
  Object names() {
    return workspaces.toArray(String[]::new);
  }

  private static ProducerRecord<String, byte[]> record(String type, String key, String body) {
    return CloudEvents.toRecord(
        Topics.REQUESTS,
        key,
        CloudEvents.event(UUID.randomUUID().toString(), "urn:sim", type, body.getBytes(UTF_8)));
  }
}
