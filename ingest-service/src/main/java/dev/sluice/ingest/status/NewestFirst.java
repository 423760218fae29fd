package dev.sluice.ingest.status;

import dev.sluice.contracts.ItemState;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The newest of a workspace's items. There is no index of all of them, because each version of a
 * row would have an entry there: each state is asked for its newest, by an index that it has
 * anyway, and the newest of those are the page.
 */
final class NewestFirst {
  private static final String OF_WORKSPACE =
      "select q.id, q.seq from workflow_execution_queue q where q.workspace_id = :workspace and ";

  private NewestFirst() {}

  /** Selects {@code id} and {@code seq}; states and numbers are written out, for the planner. */
  static String sql(ListFilter filter, int most) {
    String conditions =
        filter.definitionId().map(d -> " and q.definition_id = :definition").orElse("")
            + filter.before().map(s -> " and q.seq < :before").orElse("");
    String newest = conditions + " order by q.seq desc limit " + most;
    return filter
        .status()
        .map(Stream::of)
        .orElseGet(() -> Arrays.stream(ItemState.values()))
        .map(state -> ways(state, newest))
        .flatMap(List::stream)
        .map(way -> "(" + way + ")")
        .collect(
            Collectors.joining(
                " union all ",
                "select id, seq from (",
                ") of_each order by seq desc limit " + most));
  }

  private static List<String> ways(ItemState state, String newest) {
    return switch (state) {
      case PENDING -> List.of(ready(newest), waiting("q.gate = 'delayed'", newest), aside(newest));
      case DISPATCHED -> List.of(OF_WORKSPACE + "q.dispatched_at is not null" + newest);
      case CLAIMED, FAILED, CANCELLED, EXPIRED ->
          List.of(OF_WORKSPACE + "q.state = '" + state.name() + "'" + newest);
    };
  }

  /** By the index that admission reads, where the newest of each priority are side by side. */
  private static String ready(String newest) {
    return "select r.id, r.seq from generate_series(0, 9) as level cross join lateral ("
        + waiting("q.gate = 'ready' and q.priority = level::smallint", newest)
        + ") r";
  }

  private static String waiting(String how, String newest) {
    return OF_WORKSPACE + "q.state = 'PENDING' and " + how + newest;
  }

  private static String aside(String newest) {
    return waiting("coalesce(q.parked_on, '') <> ''", newest);
  }
}
