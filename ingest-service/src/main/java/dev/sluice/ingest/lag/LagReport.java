package dev.sluice.ingest.lag;

import java.util.List;

/** All partitions of all groups. */
public record LagReport(List<PartitionLag> groups, long totalLag) {
  static LagReport of(List<PartitionLag> groups) {
    return new LagReport(groups, groups.stream().mapToLong(PartitionLag::lag).sum());
  }

  boolean hasUnread(String group, String topic) {
    return groups.stream()
        .anyMatch(p -> p.group().equals(group) && p.topic().equals(topic) && p.lag() > 0);
  }
}
