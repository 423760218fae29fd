package dev.sluice.bench.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.LocalKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer as users have them: acknowledged by all, idempotent. */
public final class Requests implements AutoCloseable {
  private static final String SOURCE = "urn:bench";
  private static final int DELIVERY_MILLIS = 30_000;

  /** What every start gets, the baseline's, too. */
  public static final String INPUT = "{\"day\":\"monday\",\"rows\":42}";

  /** Ids of one run of the benchmark, whatever part sends them. */
  private static final AtomicLong IDS = new AtomicLong();

  private final KafkaProducer<String, byte[]> producer;

  /** As somebody sets them who wants each request on its way at once. */
  public Requests(LocalKafka kafka) {
    this(kafka, Map.of(ProducerConfig.LINGER_MS_CONFIG, 0));
  }

  private Requests(LocalKafka kafka, Map<String, Object> more) {
    var config = new HashMap<String, Object>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    config.putAll(more);
    producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
  }

  /** As Kafka's producer comes: since 4.0 it lets records gather for 5 ms ({@code linger.ms}). */
  public static Requests asKafkaHasThem(LocalKafka kafka) {
    return new Requests(kafka, Map.of());
  }

  /** A request ready to be sent, and the workflow it will be. */
  public record Request(String workflowId, ProducerRecord<String, byte[]> message) {}

  public static Request to(String workspace) {
    return to(Topics.REQUESTS, workspace);
  }

  /** To another topic, where it is only a record. */
  public static Request to(String topic, String workspace) {
    String id = Long.toString(IDS.incrementAndGet());
    String data =
        "{\"workspaceId\":\"%s\",\"definitionId\":\"%s\",\"input\":%s}"
            .formatted(workspace, Tables.DEFINITION, INPUT);
    var event = CloudEvents.event(id, SOURCE, EventTypes.REQUESTED, data.getBytes(UTF_8));
    return new Request(
        ExecutionIds.workflowId(ExecutionIds.ofEvent(workspace, SOURCE, id)),
        CloudEvents.toRecord(topic, workspace, event));
  }

  public void send(Request request) {
    var _ = producer.send(request.message());
  }

  /** Does not wait. */
  public void send(Request request, Callback acknowledged) {
    var _ = producer.send(request.message(), acknowledged);
  }

  /** One, and waits until it is acknowledged. */
  public void sendAndWait(Request request)
      throws InterruptedException, ExecutionException, TimeoutException {
    producer.send(request.message()).get(DELIVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * One after the other to {@code prefix0 … prefix(workspaces - 1)}, and round again. Where there
   * are more workspaces than requests, those that get one are spread over all of them.
   */
  public static List<Request> round(String prefix, int workspaces, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> to(prefix + workspaceOf(i, workspaces, count)))
        .toList();
  }

  /** One after the other to these, and round again. */
  public static List<Request> round(List<String> workspaces, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> to(workspaces.get(i % workspaces.size())))
        .toList();
  }

  static long workspaceOf(int request, int workspaces, int count) {
    return (long) request * Math.max(1, workspaces / count) % workspaces;
  }

  public void send(List<Request> requests) {
    requests.forEach(this::send);
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
  }
}
