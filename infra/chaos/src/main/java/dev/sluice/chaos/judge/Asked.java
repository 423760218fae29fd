package dev.sluice.chaos.judge;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.Topics;
import io.cloudevents.CloudEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.databind.JsonNode;

/**
 * Everything that reached the topic, acknowledged or not, in the order of its partition: a request
 * whose answer was lost may be there all the same.
 *
 * @param requests by id, in the order they came first
 * @param deadLetters how many records could not be read; the load writes none of that kind
 */
public record Asked(Map<UUID, Request> requests, long deadLetters) {
  /** A request as it stands in the topic. */
  public record Request(UUID id, String workspaceId, int priority) {}

  public static Asked read(String kafka) {
    try (var consumer = consumer(kafka)) {
      var requests = new LinkedHashMap<UUID, Request>();
      for (TopicPartition partition : partitions(consumer, Topics.REQUESTS)) {
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
        while (consumer.position(partition) < end) {
          for (var message : consumer.poll(Duration.ofSeconds(1))) {
            Request request = request(message);
            requests.putIfAbsent(request.id(), request);
          }
        }
      }
      var deadLetters = consumer.endOffsets(partitions(consumer, Topics.DEAD_LETTERS)).values();
      return new Asked(requests, deadLetters.stream().mapToLong(Long::longValue).sum());
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String kafka) {
    var config = new HashMap<String, Object>();
    config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private static Request request(ConsumerRecord<byte[], byte[]> message) {
    CloudEvent event = CloudEvents.fromRecord(message);
    JsonNode data = Json.MAPPER.readTree(CloudEvents.data(event));
    String workspace = new String(message.key(), UTF_8);
    return new Request(id(event, data, workspace), workspace, data.path("priority").asInt(5));
  }

  private static UUID id(CloudEvent event, JsonNode data, String workspace) {
    if (data.has("idempotencyKey")) {
      return ExecutionIds.ofKey(workspace, data.path("idempotencyKey").asString());
    }
    String source = event.getSource().toString();
    return source.equals(EventTypes.INGEST_SOURCE)
        ? UUID.fromString(event.getId())
        : ExecutionIds.ofEvent(workspace, source, event.getId());
  }
}
