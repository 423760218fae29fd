package dev.sluice.ingest.lag;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * Reads the first unconsumed record of each partition that is behind, for its age. It also finds
 * out that there is none: the end of a partition may be marks of transactions, which nobody
 * consumes. Used by one thread at a time.
 */
@Component
class OldestRecords implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, Object> config;
  private final Clock clock;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;

  OldestRecords(KafkaProperties kafka, Clock clock) {
    this.clock = clock;
    this.config = new HashMap<>(kafka.buildConsumerProperties());
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    // The broker sends one whole batch at least, and here no more than that.
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1024);
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 2000);
    config.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2000);
  }

  /** The same partitions, with ages, and without the lag that marks make. */
  List<PartitionLag> complete(List<PartitionLag> lags) {
    var behind = new HashMap<TopicPartition, PartitionLag>();
    lags.stream()
        .filter(lag -> lag.lag() > 0)
        .forEach(lag -> behind.put(new TopicPartition(lag.topic(), lag.partition()), lag));
    if (behind.isEmpty()) {
      return lags;
    }
    Map<TopicPartition, PartitionLag> known = look(behind);
    var completed = new ArrayList<PartitionLag>();
    for (PartitionLag lag : lags) {
      var partition = new TopicPartition(lag.topic(), lag.partition());
      completed.add(
          lag.lag() == 0 ? lag : known.getOrDefault(partition, lag.withOldest(lag.lag(), null)));
    }
    return completed;
  }

  private Map<TopicPartition, PartitionLag> look(Map<TopicPartition, PartitionLag> behind) {
    var reader = reader();
    // A partition that stays assigned stays paused, too.
    reader.unsubscribe();
    reader.assign(behind.keySet());
    behind.forEach((partition, lag) -> reader.seek(partition, lag.end() - lag.lag()));
    var known = new HashMap<TopicPartition, PartitionLag>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (known.size() < behind.size() && System.nanoTime() < deadline) {
      for (var found : reader.poll(POLL)) {
        var partition = new TopicPartition(found.topic(), found.partition());
        known.put(partition, aged(Objects.requireNonNull(behind.get(partition)), found));
        reader.pause(List.of(partition));
      }
      behind.forEach(
          (partition, lag) -> {
            if (!known.containsKey(partition) && reader.position(partition) >= lag.end()) {
              known.put(partition, lag.withOldest(0, 0.0));
            }
          });
    }
    return known;
  }

  private PartitionLag aged(PartitionLag lag, ConsumerRecord<byte[], byte[]> oldest) {
    double seconds = Math.max(0, clock.millis() - oldest.timestamp()) / 1000.0;
    return lag.withOldest(lag.lag(), seconds);
  }

  private KafkaConsumer<byte[], byte[]> reader() {
    if (consumer == null) {
      consumer =
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
    return consumer;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }
}
