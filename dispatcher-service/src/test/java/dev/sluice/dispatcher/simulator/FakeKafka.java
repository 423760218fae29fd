package dev.sluice.dispatcher.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Two logs of a few partitions, and who of the group owns which: what Kafka's coordinator says. */
final class FakeKafka {
  static final int PARTITIONS = 2;

  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> logs = new HashMap<>();
  private final Map<TopicPartition, Integer> committed = new HashMap<>();
  private final Map<Integer, Dispatcher> owners = new HashMap<>();

  /** Requests may hash their keys in any way, signals go home. */
  void append(ProducerRecord<String, byte[]> record, int partition) {
    var log = log(new TopicPartition(record.topic(), partition));
    byte[] key = record.key().getBytes(UTF_8);
    log.add(
        new ConsumerRecord<>(
            record.topic(),
            partition,
            log.size(),
            0L,
            TimestampType.CREATE_TIME,
            key.length,
            record.value().length,
            key,
            record.value(),
            record.headers(),
            Optional.empty()));
  }

  static List<TopicPartition> both(int partition) {
    return List.of(
        new TopicPartition(Topics.REQUESTS, partition),
        new TopicPartition(Topics.SIGNALS, partition));
  }

  List<ConsumerRecord<byte[], byte[]>> read(TopicPartition from, int position, int most) {
    var log = log(from);
    return List.copyOf(log.subList(position, Math.min(log.size(), position + most)));
  }

  boolean hasMore(TopicPartition from, int position) {
    return position < log(from).size();
  }

  int committed(TopicPartition partition) {
    return committed.getOrDefault(partition, 0);
  }

  /** A member of an old generation is refused. */
  void commit(Dispatcher member, TopicPartition partition, int offset) {
    if (member == owners.get(partition.partition())) {
      committed.put(partition, offset);
    }
  }

  @Nullable Dispatcher owner(int partition) {
    return owners.get(partition);
  }

  void assign(int partition, Dispatcher to) {
    owners.put(partition, to);
  }

  private List<ConsumerRecord<byte[], byte[]>> log(TopicPartition partition) {
    return logs.computeIfAbsent(partition, p -> new ArrayList<>());
  }
}
