package dev.sluice.dispatcher.intake;

import dev.sluice.contracts.Topics;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** Follows which partitions of the signals topic, hence which workspaces, are ours. */
final class Assignments implements ConsumerRebalanceListener {
  private final Consumer<List<Integer>> onGained;
  private final Consumer<List<Integer>> onLost;

  Assignments(Consumer<List<Integer>> onGained, Consumer<List<Integer>> onLost) {
    this.onGained = onGained;
    this.onLost = onLost;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    onGained.accept(homes(partitions));
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    onLost.accept(homes(partitions));
  }

  private static List<Integer> homes(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .filter(p -> p.topic().equals(Topics.SIGNALS))
        .map(TopicPartition::partition)
        .toList();
  }
}
