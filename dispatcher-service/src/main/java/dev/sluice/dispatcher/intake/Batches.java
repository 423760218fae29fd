package dev.sluice.dispatcher.intake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** What several fetches brought, put together and taken apart by partitions. */
final class Batches {
  private Batches() {}

  /** One after the other. What a rebalance has taken away in between is the new owner's. */
  static ConsumerRecords<byte[], byte[]> join(
      ConsumerRecords<byte[], byte[]> first,
      ConsumerRecords<byte[], byte[]> more,
      Collection<TopicPartition> ours) {
    return of(List.of(first, more), ours::contains);
  }

  static ConsumerRecords<byte[], byte[]> only(
      ConsumerRecords<byte[], byte[]> records, Predicate<TopicPartition> partitions) {
    return of(List.of(records), partitions);
  }

  /** The same places, with other records in them. */
  static ConsumerRecords<byte[], byte[]> replacing(
      ConsumerRecords<byte[], byte[]> records,
      UnaryOperator<ConsumerRecord<byte[], byte[]>> replacement) {
    var replaced = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
    for (TopicPartition partition : records.partitions()) {
      replaced.put(partition, records.records(partition).stream().map(replacement).toList());
    }
    return new ConsumerRecords<>(replaced, records.nextOffsets());
  }

  private static ConsumerRecords<byte[], byte[]> of(
      List<ConsumerRecords<byte[], byte[]>> parts, Predicate<TopicPartition> partitions) {
    var records = new HashMap<TopicPartition, List<ConsumerRecord<byte[], byte[]>>>();
    var next = new HashMap<TopicPartition, OffsetAndMetadata>();
    for (var part : parts) {
      for (TopicPartition partition : part.partitions()) {
        if (partitions.test(partition)) {
          records
              .computeIfAbsent(partition, p -> new ArrayList<>())
              .addAll(part.records(partition));
        }
      }
      part.nextOffsets()
          .forEach(
              (partition, offset) -> {
                if (partitions.test(partition)) {
                  next.put(partition, offset);
                }
              });
    }
    return new ConsumerRecords<>(records, next);
  }
}
