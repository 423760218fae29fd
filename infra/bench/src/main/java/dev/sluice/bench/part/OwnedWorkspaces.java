package dev.sluice.bench.part;

import dev.sluice.contracts.Topics;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Workspaces by the dispatcher that owns them.
 *
 * @param homes the partitions of each dispatcher
 */
record OwnedWorkspaces(List<Set<Integer>> homes) {
  static final String PREFIX = "w";

  /** Enough that one dispatcher of a few has as many as are asked for. */
  static final int ALL = 4_000;

  OwnedWorkspaces {
    homes = List.copyOf(homes);
  }

  /** So many workspaces in all, the same number of each of the first dispatchers. */
  List<String> of(int dispatchers, int count) {
    int each = count / dispatchers;
    List<String> found = homes.stream().limit(dispatchers).flatMap(own -> some(own, each)).toList();
    if (found.size() != each * dispatchers) {
      throw new IllegalStateException("a dispatcher has fewer than %d workspaces".formatted(each));
    }
    return found;
  }

  private Stream<String> some(Set<Integer> own, int count) {
    int partitions = homes.stream().mapToInt(Set::size).sum();
    return IntStream.range(0, ALL)
        .mapToObj(n -> PREFIX + n)
        .filter(workspace -> own.contains(Topics.homePartition(workspace, partitions)))
        .limit(count);
  }
}
