package dev.sluice.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;

/** Reads one workspace's records of a topic, from where the topic ended when it was made. */
public final class TopicReader implements AutoCloseable {
  private final KafkaConsumer<String, byte[]> consumer;
  private final String workspace;
  private final List<ConsumerRecord<String, byte[]>> seen = new ArrayList<>();

  public TopicReader(String topic, String workspace) {
    this.workspace = workspace;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", Fixture.bootstrapServers()),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    var partitions =
        consumer.partitionsFor(topic).stream()
            .map(p -> new TopicPartition(topic, p.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  public List<ConsumerRecord<String, byte[]>> poll() {
    for (var one : consumer.poll(Duration.ofMillis(50))) {
      if (workspace.equals(one.key())) {
        seen.add(one);
      }
    }
    return seen;
  }

  public List<ConsumerRecord<String, byte[]>> await(
      Duration atMost, Predicate<List<ConsumerRecord<String, byte[]>>> until) {
    Awaitility.await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> until.test(poll()));
    return seen;
  }

  public static String header(ConsumerRecord<?, ?> of, String name) {
    var header = Objects.requireNonNull(of.headers().lastHeader(name), () -> "no header " + name);
    return new String(header.value(), UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
