package dev.sluice.bench.stack;

import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Kafka as its operator sees it. Every question gives up after a minute, Kafka's own default. */
public final class Broker implements AutoCloseable {
  private static final Duration ASSIGNED_WITHIN = Duration.ofSeconds(60);
  private static final long TO_THE_END = -1;

  private final Admin admin;

  public Broker(Servers servers) {
    admin =
        Admin.create(
            Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers.kafka().bootstrapServers()));
  }

  /** A topic with as many partitions as another, unless it is there already. */
  public void makeTopicLike(String name, String other) {
    if (!answer(admin.listTopics().names()).contains(name)) {
      var topic = new NewTopic(name, Optional.of(partitions(other)), Optional.empty());
      var _ = answer(admin.createTopics(List.of(topic)).values().get(name));
    }
  }

  /** Forgets the records of a topic, so that nobody who comes later reads them. */
  public void empty(String topic) {
    var all =
        IntStream.range(0, partitions(topic))
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(
                Collectors.toMap(
                    partition -> partition, partition -> RecordsToDelete.beforeOffset(TO_THE_END)));
    admin.deleteRecords(all).lowWatermarks().values().forEach(Broker::answer);
  }

  /**
   * Waits until there are exactly so many dispatchers and each has its share.
   *
   * @return the home partitions of each, in an order that stays
   */
  public List<Set<Integer>> awaitDispatchers(int count) {
    Await.until(
        "%d dispatchers have partitions".formatted(count),
        ASSIGNED_WITHIN,
        () -> {
          var members = group().members();
          return members.size() == count && members.stream().noneMatch(m -> homes(m).isEmpty());
        });
    return group().members().stream()
        .sorted(Comparator.comparing(MemberDescription::consumerId))
        .map(Broker::homes)
        .toList();
  }

  private static Set<Integer> homes(MemberDescription member) {
    return member.assignment().topicPartitions().stream()
        .filter(partition -> partition.topic().equals(Topics.SIGNALS))
        .map(TopicPartition::partition)
        .collect(Collectors.toSet());
  }

  private ConsumerGroupDescription group() {
    return answer(
        admin
            .describeConsumerGroups(List.of(Topics.DISPATCHER_GROUP))
            .describedGroups()
            .get(Topics.DISPATCHER_GROUP));
  }

  private int partitions(String topic) {
    return Objects.requireNonNull(
            answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic))
        .partitions()
        .size();
  }

  private static <T> T answer(@Nullable KafkaFuture<T> asked) {
    try {
      return Objects.requireNonNull(asked).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka does not answer its operator", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
