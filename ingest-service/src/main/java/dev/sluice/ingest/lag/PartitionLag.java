package dev.sluice.ingest.lag;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How far a group is behind on one partition, as the broker tells it.
 *
 * @param committed absent when the group has read nothing yet
 * @param lagSeconds age of the oldest record not consumed; absent when it could not be read in time
 * @param member who reads the partition; absent when nobody does
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PartitionLag(
    String group,
    String topic,
    int partition,
    long end,
    @Nullable Long committed,
    long lag,
    @Nullable Double lagSeconds,
    @Nullable String member) {

  PartitionLag withOldest(long records, @Nullable Double seconds) {
    return new PartitionLag(group, topic, partition, end, committed, records, seconds, member);
  }
}
