package dev.sluice.contracts;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes the topics that are not there yet. Every service calls it, so that any may start first. */
public final class TopicSetup {
  private static final Duration KNOWN_WITHIN = Duration.ofSeconds(20);

  private TopicSetup() {}

  /**
   * Returns when the brokers know them all.
   *
   * @param partitions of each topic; requests and signals must have the same number, because a
   *     consumer is assigned both halves of a workspace together
   * @return how many partitions {@link Topics#SIGNALS} really has
   */
  public static int ensure(Admin admin, int partitions) throws InterruptedException {
    List<NewTopic> topics =
        List.of(
            topic(Topics.REQUESTS, partitions, Topics.LARGEST_REQUEST_RECORD),
            topic(Topics.SIGNALS, partitions, 1024 * 1024),
            topic(Topics.EVENTS, partitions, 4 * 1024 * 1024),
            topic(Topics.DEAD_LETTERS, partitions, Topics.LARGEST_DEAD_LETTER));
    var created = new HashMap<>(admin.createTopics(topics).values());
    for (var topic : created.entrySet()) {
      try {
        topic.getValue().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw new IllegalStateException("cannot create topic " + topic.getKey(), e.getCause());
        }
      }
    }
    return partitionsOnceKnown(admin, topics.stream().map(NewTopic::name).toList());
  }

  /** A broker may deny a topic for a moment after it said that it was created. */
  private static int partitionsOnceKnown(Admin admin, List<String> names)
      throws InterruptedException {
    long until = System.nanoTime() + KNOWN_WITHIN.toNanos();
    while (true) {
      try {
        Map<String, TopicDescription> known = admin.describeTopics(names).allTopicNames().get();
        return Objects.requireNonNull(known.get(Topics.SIGNALS)).partitions().size();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
            || System.nanoTime() > until) {
          throw new IllegalStateException("the topics cannot be described", e.getCause());
        }
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  private static NewTopic topic(String name, int partitions, int largestRecord) {
    return new NewTopic(name, Optional.of(partitions), Optional.empty())
        .configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(largestRecord)));
  }
}
