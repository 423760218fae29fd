package dev.sluice.ingest.flow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** How much of a workspace waits, by what for. */
public record Waiting(
    long ready,
    long notBefore,
    long backoff,
    long inPartitions,
    long inDefinitions,
    long inLimits,
    long inPauses) {
  /**
   * Of {@code workspace w}. Each count names a gate, so that each has a partial index; what has to
   * do with time alone is rare enough to be looked at row by row.
   */
  public static final String COLUMNS =
      """
      (select count(*) from workflow_execution_queue q
        where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'ready') as ready,
      delayed.as_asked, delayed.waiting - delayed.as_asked as backing_off,
      in_partitions.waiting as in_partitions, in_definitions.waiting as in_definitions,
      in_limits.waiting as in_limits,
      (select count(*) from workflow_execution_queue q
        where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'paused') as in_pauses
      """;

  /** What {@link #COLUMNS} needs, after {@code workspace w}. */
  public static final String TABLES =
      """
      cross join lateral (
        select count(*) as waiting, count(*) filter (where q.ready_at = q.not_before) as as_asked
          from workflow_execution_queue q
         where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'delayed'
      ) delayed
      cross join lateral (
        select count(*) as waiting, min(q.accepted_at) as oldest from workflow_execution_queue q
         where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'partition'
      ) in_partitions
      cross join lateral (
        select count(*) as waiting, min(q.accepted_at) as oldest from workflow_execution_queue q
         where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'definition'
      ) in_definitions
      cross join lateral (
        select count(*) as waiting, min(q.accepted_at) as oldest from workflow_execution_queue q
         where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'limit'
      ) in_limits
      """;

  public static Waiting read(ResultSet rs) throws SQLException {
    return new Waiting(
        rs.getLong("ready"),
        rs.getLong("as_asked"),
        rs.getLong("backing_off"),
        rs.getLong("in_partitions"),
        rs.getLong("in_definitions"),
        rs.getLong("in_limits"),
        rs.getLong("in_pauses"));
  }

  public long total() {
    return ready + notBefore + backoff + inPartitions + inDefinitions + inLimits + inPauses;
  }

  /** Adds up to {@link #total}; only kinds that there are any of. */
  public Map<String, Long> byKind(FlowState flow) {
    var kinds = new TreeMap<String, Long>();
    add(kinds, WaitingFor.NOT_BEFORE, notBefore);
    add(kinds, WaitingFor.BACKOFF, backoff);
    long due = ready + inPartitions + inDefinitions + inLimits + inPauses;
    flow.standstill()
        .ifPresentOrElse(
            all -> add(kinds, all.kind(), due),
            () -> {
              add(kinds, WaitingFor.PARTITION, inPartitions);
              add(kinds, WaitingFor.DEFINITION_LIMIT, inDefinitions);
              add(kinds, WaitingFor.LIMIT, inLimits);
              add(kinds, WaitingFor.PAUSED, inPauses);
              add(kinds, flow.whyReadyOnesWait().kind(), ready);
            });
    return kinds;
  }

  private static void add(Map<String, Long> kinds, String kind, long count) {
    if (count > 0) {
      kinds.merge(kind, count, Long::sum);
    }
  }
}
