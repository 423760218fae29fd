package dev.sluice.ingest;

import dev.sluice.servers.TestStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/** Reads a topic from where it ended when the test began, as a dispatcher would: committed only. */
public final class RequestTopic implements AutoCloseable {
  private final KafkaConsumer<String, byte[]> consumer;
  private final List<ConsumerRecord<String, byte[]>> seen = new ArrayList<>();

  RequestTopic(String topic) {
    this(TestStack.shared().kafka().bootstrapServers(), topic);
  }

  public static RequestTopic fromBeginning(String kafka, String topic) {
    var reader = new RequestTopic(kafka, topic);
    reader.consumer.seekToBeginning(reader.consumer.assignment());
    return reader;
  }

  private RequestTopic(String kafka, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    var partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  List<ConsumerRecord<String, byte[]>> await(String key, int count) {
    Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> of(key).size() >= count);
    return of(key);
  }

  /** What has come in by now. */
  List<ConsumerRecord<String, byte[]>> of(String key) {
    consumer.poll(Duration.ofMillis(100)).forEach(seen::add);
    return seen.stream().filter(received -> key.equals(received.key())).toList();
  }

  /** Everything up to where the topic ends now. */
  public List<ConsumerRecord<String, byte[]>> all() {
    var ends = consumer.endOffsets(consumer.assignment());
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(100)).forEach(seen::add);
              return ends.entrySet().stream()
                  .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
    return seen;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
