package dev.sluice.dispatcher.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Asks once more where a single fetch has only brought the first of many. Kafka's consumer sends
 * its next fetch before it hands on the records of the last, and the broker answers that with the
 * first record it gets; all that come while the batch is stored wait for the fetch after. So every
 * second batch was of one record, and cost as much as the one behind it.
 *
 * <p>Only records that were there before they were asked for are a sign of more behind them: one
 * that comes to an idle consumer is handed on at once.
 */
final class GatheringConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final long AT_ONCE_NANOS = 300_000;
  private static final Duration LONGEST = Duration.ofMillis(2);

  /** So many are a batch worth its cost. */
  private static final int PLENTY = 64;

  private @Nullable KafkaException postponed;

  GatheringConsumer(Map<String, Object> config) {
    super(config);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (postponed != null) {
      KafkaException failure = postponed;
      postponed = null;
      throw failure;
    }
    long began = System.nanoTime();
    ConsumerRecords<byte[], byte[]> first = super.poll(timeout);
    boolean atOnce = System.nanoTime() - began < AT_ONCE_NANOS;
    return atOnce && !first.isEmpty() && first.count() < PLENTY ? withMore(first) : first;
  }

  private ConsumerRecords<byte[], byte[]> withMore(ConsumerRecords<byte[], byte[]> first) {
    ConsumerRecords<byte[], byte[]> more;
    try {
      more = super.poll(LONGEST);
    } catch (KafkaException e) {
      postponed = e; // these were read, and nobody would read them again
      return first;
    }
    return join(first, more, assignment());
  }

  /** What a rebalance has taken away in between is the new owner's. */
  static ConsumerRecords<byte[], byte[]> join(
      ConsumerRecords<byte[], byte[]> first,
      ConsumerRecords<byte[], byte[]> more,
      Collection<TopicPartition> ours) {
    var records = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
    var next = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var part : List.of(first, more)) {
      for (TopicPartition partition : part.partitions()) {
        if (ours.contains(partition)) {
          records
              .computeIfAbsent(partition, p -> new ArrayList<>())
              .addAll(part.records(partition));
        }
      }
      part.nextOffsets()
          .forEach(
              (partition, offset) -> {
                if (ours.contains(partition)) {
                  next.put(partition, offset);
                }
              });
    }
    return new ConsumerRecords<>(records, next);
  }
}
