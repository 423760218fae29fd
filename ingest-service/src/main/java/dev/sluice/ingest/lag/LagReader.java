package dev.sluice.ingest.lag;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.springframework.stereotype.Component;

/** Asks the broker, not the consumers, so it is right when every consumer is dead. */
@Component
class LagReader {
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final String GROUP = Topics.DISPATCHER_GROUP;
  private static final List<String> TOPICS = List.of(Topics.REQUESTS, Topics.SIGNALS);

  private final Admin admin;
  private final OldestRecords oldest;

  LagReader(Admin admin, OldestRecords oldest) {
    this.admin = admin;
    this.oldest = oldest;
  }

  LagReport read() throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var committed = admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata();
    var described =
        Objects.requireNonNull(
            admin.describeConsumerGroups(List.of(GROUP)).describedGroups().get(GROUP));
    var partitions = partitions(deadline);
    var ends = listOffsets(partitions, OffsetSpec.latest());
    var begins = listOffsets(partitions, OffsetSpec.earliest());
    List<PartitionLag> lags =
        combine(
            get(ends, deadline),
            get(begins, deadline),
            orNoGroup(committed, Map.of(), deadline),
            members(described, deadline));
    return LagReport.of(oldest.complete(lags));
  }

  private List<TopicPartition> partitions(long deadline)
      throws ExecutionException, InterruptedException, TimeoutException {
    var partitions = new ArrayList<TopicPartition>();
    get(admin.describeTopics(TOPICS).allTopicNames(), deadline)
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    return partitions;
  }

  private KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> listOffsets(
      List<TopicPartition> partitions, OffsetSpec spec) {
    var wanted = new HashMap<TopicPartition, OffsetSpec>();
    partitions.forEach(partition -> wanted.put(partition, spec));
    return admin.listOffsets(wanted).all();
  }

  private static List<PartitionLag> combine(
      Map<TopicPartition, ListOffsetsResultInfo> ends,
      Map<TopicPartition, ListOffsetsResultInfo> begins,
      Map<TopicPartition, OffsetAndMetadata> committed,
      Map<TopicPartition, String> members) {
    var lags = new ArrayList<PartitionLag>();
    ends.forEach(
        (partition, end) -> {
          OffsetAndMetadata read = committed.get(partition);
          ListOffsetsResultInfo begin = begins.get(partition);
          long from =
              Math.max(begin == null ? 0 : begin.offset(), read == null ? 0 : read.offset());
          lags.add(
              new PartitionLag(
                  GROUP,
                  partition.topic(),
                  partition.partition(),
                  end.offset(),
                  read == null ? null : read.offset(),
                  Math.max(0, end.offset() - from),
                  0.0,
                  members.get(partition)));
        });
    lags.sort(Comparator.comparing(PartitionLag::topic).thenComparingInt(PartitionLag::partition));
    return lags;
  }

  private static Map<TopicPartition, String> members(
      KafkaFuture<ConsumerGroupDescription> described, long deadline)
      throws ExecutionException, InterruptedException, TimeoutException {
    var members = new HashMap<TopicPartition, String>();
    try {
      for (var member : get(described, deadline).members()) {
        member
            .assignment()
            .topicPartitions()
            .forEach(partition -> members.put(partition, member.consumerId()));
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw e;
      }
    }
    return members;
  }

  private static <T> T orNoGroup(KafkaFuture<T> future, T none, long deadline)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      return get(future, deadline);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return none;
      }
      throw e;
    }
  }

  private static <T> T get(KafkaFuture<T> future, long deadline)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
