package dev.sluice.chaos.fault;

import dev.sluice.contracts.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.config.ConfigResource;

/** Which dispatcher has which workspaces, as Kafka sees it. */
final class Owners implements AutoCloseable {
  private final Admin admin;

  Owners(String kafka) {
    admin =
        Admin.create(
            Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                kafka,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                10_000));
  }

  /** Of the given ones, those whose home partition the dispatcher has. */
  Set<String> workspacesOf(String dispatcher, List<String> workspaces) {
    int partitions = partitions();
    var homes =
        group().members().stream()
            .filter(member -> member.clientId().startsWith(dispatcher))
            .flatMap(member -> member.assignment().topicPartitions().stream())
            .filter(partition -> partition.topic().equals(Topics.SIGNALS))
            .map(partition -> partition.partition())
            .collect(Collectors.toSet());
    return workspaces.stream()
        .filter(workspace -> homes.contains(Topics.homePartition(workspace, partitions)))
        .collect(Collectors.toSet());
  }

  /** With the consumer protocol the broker decides on the session timeout, group by group. */
  void setSessionTimeout(long millis) {
    var group = new ConfigResource(ConfigResource.Type.GROUP, Topics.DISPATCHER_GROUP);
    var entry = new ConfigEntry("consumer.session.timeout.ms", Long.toString(millis));
    try {
      admin
          .incrementalAlterConfigs(
              Map.of(group, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the group's session timeout cannot be set", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private ConsumerGroupDescription group() {
    try {
      return admin
          .describeConsumerGroups(List.of(Topics.DISPATCHER_GROUP))
          .describedGroups()
          .values()
          .iterator()
          .next()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the dispatchers' group cannot be described", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private int partitions() {
    try {
      return admin
          .describeTopics(List.of(Topics.SIGNALS))
          .allTopicNames()
          .get()
          .values()
          .iterator()
          .next()
          .partitions()
          .size();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the topic of signals cannot be described", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }

  @Override
  public void close() {
    admin.close();
  }
}
