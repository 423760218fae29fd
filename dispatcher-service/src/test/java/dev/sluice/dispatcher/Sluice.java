package dev.sluice.dispatcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.LocalTemporal;
import dev.sluice.servers.TestStack;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A dispatcher on real servers, with a worker that does as the input says. One for all tests of a
 * run.
 */
public final class Sluice {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final String bootstrapServers;
  private final String database;
  private final String temporalAddress;
  private final ConfigurableApplicationContext dispatcher;
  private final JdbcClient jdbc;
  private final WorkflowClient temporal;
  private final KafkaProducer<byte[], byte[]> producer;

  private Sluice(LocalTemporal server, String bootstrapServers, String database, String... more) {
    this.bootstrapServers = bootstrapServers;
    this.database = database;
    temporalAddress = server.address();
    var settings = new ArrayList<>(List.of(more));
    if (server.callbacks()) {
      int port = freePort();
      settings.add("--server.port=" + port);
      settings.add("--sluice.callbacks.url=http://127.0.0.1:" + port);
    }
    dispatcher = startDispatcher(settings.toArray(String[]::new));
    jdbc = JdbcClient.create(new DriverManagerDataSource(database, "sluice", "sluice"));
    temporal = client(server.address());
    var factory = WorkerFactory.newInstance(temporal);
    Worker worker = factory.newWorker("tests");
    worker.registerWorkflowImplementationTypes(ObedientWorkflow.class);
    factory.start();
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                Topics.LARGEST_REQUEST_RECORD),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  static Sluice shared() {
    return Holder.SLUICE;
  }

  /**
   * The same against a real Temporal server; empty where none is found. Has a broker of its own.
   */
  static Optional<Sluice> onRealTemporal() {
    return Optional.ofNullable(RealHolder.SLUICE);
  }

  /** On servers of the caller's, with the in-memory Temporal. */
  static Sluice on(String bootstrapServers, String database, String... more) {
    return new Sluice(TestStack.shared().temporal(), bootstrapServers, database, more);
  }

  static void assumeRealTemporal() {
    assumeTrue(
        onRealTemporal().isPresent(),
        "no temporal CLI is found: infra/local/get-temporal gets one");
  }

  private static final class Holder {
    static final Sluice SLUICE =
        new Sluice(
            TestStack.shared().temporal(),
            TestStack.shared().kafka().bootstrapServers(),
            TestStack.shared().freshDatabase("dispatcher"));
  }

  private static final class RealHolder {
    static final Sluice SLUICE =
        TestStack.shared()
            .realTemporal()
            .map(
                server ->
                    new Sluice(
                        server,
                        TestStack.shared().anotherKafka().bootstrapServers(),
                        TestStack.shared().freshDatabase("dispatcher")))
            .orElse(null);
  }

  /** One more on the same servers. */
  ConfigurableApplicationContext startDispatcher(String... more) {
    SpringApplication app = DispatcherApplication.builder().build();
    var args =
        new ArrayList<>(
            List.of(
                "--KAFKA_BOOTSTRAP_SERVERS=" + bootstrapServers,
                "--DATABASE_URL=" + database,
                "--DATABASE_USER=sluice",
                "--DATABASE_PASSWORD=sluice",
                "--TEMPORAL_ADDRESS=" + temporalAddress,
                "--sluice.intake.session-timeout=6s",
                "--sluice.start.first-backoff=100ms"));
    if (List.of(more).stream().noneMatch(arg -> arg.startsWith("--server.port="))) {
      args.add("--server.port=0");
    }
    args.addAll(List.of(more));
    return app.run(args.toArray(String[]::new));
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static WorkflowClient client(String address) {
    return WorkflowClient.newInstance(
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(address).build()));
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  JdbcClient jdbc() {
    return jdbc;
  }

  WorkflowClient temporal() {
    return temporal;
  }

  void stop() {
    dispatcher.close();
  }

  <T> T bean(Class<T> type) {
    return dispatcher.getBean(type);
  }

  /** A workspace of its own for each test, with a definition "job" run by the tests' worker. */
  String workspace(String plan) {
    String name = "ws-" + NAMES.incrementAndGet();
    jdbc.sql("insert into workspace (id, plan_id) values (?, ?)").params(name, plan).update();
    definition(name, "job");
    return name;
  }

  void definition(String workspace, String name) {
    jdbc.sql("insert into workflow_definition (workspace_id, id, current_version) values (?, ?, 1)")
        .params(workspace, name)
        .update();
    jdbc.sql(
            "insert into workflow_definition_version (workspace_id, definition_id, version,"
                + " workflow_type, task_queue) values (?, ?, 1, 'Obey', 'tests')")
        .params(workspace, name)
        .update();
  }

  UUID enqueue(String workspace, String input) {
    return enqueue(workspace, "\"input\":" + input, UUID.randomUUID().toString());
  }

  /** Binary mode, as a producer of any language would write it. */
  UUID enqueue(String workspace, String fields, String key) {
    String data =
        "{\"workspaceId\":\"%s\",\"definitionId\":\"job\",\"idempotencyKey\":\"%s\",%s}"
            .formatted(workspace, key, fields);
    publish(workspace, EventTypes.REQUESTED, data);
    return ExecutionIds.ofKey(workspace, key);
  }

  void publish(String key, String type, String data) {
    var event =
        CloudEvents.event(UUID.randomUUID().toString(), "urn:test", type, data.getBytes(UTF_8));
    var record = CloudEvents.toRecord(Topics.REQUESTS, key, event);
    send(
        new ProducerRecord<>(
            record.topic(), null, key.getBytes(UTF_8), record.value(), record.headers()));
  }

  void signal(Signal signal) {
    var record = SignalCodec.encode(signal, "urn:test");
    send(
        new ProducerRecord<>(
            record.topic(),
            null,
            signal.workspaceId().getBytes(UTF_8),
            record.value(),
            record.headers()));
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  String state(UUID id) {
    return jdbc.sql("select state from workflow_execution_queue where id = ?")
        .param(id)
        .query(String.class)
        .optional()
        .orElse("");
  }

  String workflowStatus(UUID id) {
    return jdbc.sql("select status from workflow_execution where id = ?")
        .param(id)
        .query(String.class)
        .optional()
        .orElse("");
  }

  void awaitState(UUID id, String state) {
    await(id + " is " + state)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> state(id).equals(state));
  }

  void awaitStatus(UUID id, String status) {
    await(id + " is " + status)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> workflowStatus(id).equals(status));
  }

  /** Lets a workflow that was told to wait go on. */
  void letGo(UUID id) {
    temporal.newUntypedWorkflowStub(ExecutionIds.workflowId(id)).signal("go");
  }

  /** When a workflow was open, as Temporal tells it. */
  record Span(Instant start, Instant close) {}

  Span span(UUID id) {
    var info = temporal.newUntypedWorkflowStub(ExecutionIds.workflowId(id)).describe();
    return new Span(info.getStartTime(), info.getCloseTime());
  }

  int mostOpenAtOnce(List<UUID> ids) {
    List<Span> spans = ids.stream().map(this::span).toList();
    return spans.stream().mapToInt(at -> openAt(at.start(), spans)).max().orElse(0);
  }

  private static int openAt(Instant at, List<Span> spans) {
    return (int)
        spans.stream().filter(s -> !s.start().isAfter(at) && s.close().isAfter(at)).count();
  }

  String failure(UUID id) {
    return jdbc.sql(
            "select failure_code || ' ' || failure_message from workflow_execution_queue where id ="
                + " ?")
        .param(id)
        .query(String.class)
        .single();
  }
}
