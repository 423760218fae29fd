package dev.sluice.ingest.catalogue;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How much room a workspace's backlog has. */
@Repository
class BacklogRepository {
  /** Counts no further than the cap, and each gate by its partial index. */
  private static final String BACKLOG =
      """
      with cap as materialized (
        select coalesce(w.backlog_limit, :largest) as most from workspace w where w.id = :id)
      select cap.most, (select count(*) from (
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'ready' limit (select most from cap))
        union all
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'delayed' limit (select most from cap))
        union all
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'parked' and parked_on = 'partition'
          limit (select most from cap))
        union all
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'parked' and parked_on = 'definition'
          limit (select most from cap))
        union all
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'parked' and parked_on = 'limit'
          limit (select most from cap))
        union all
        (select from workflow_execution_queue
          where workspace_id = :id and state = 'PENDING' and gate = 'parked' and parked_on = 'paused'
          limit (select most from cap))
      ) q) as waiting from cap
      """;

  private final JdbcClient jdbc;

  BacklogRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * How it stands.
   *
   * @param waiting exact up to the cap
   */
  record Backlog(int cap, long waiting) {
    long room() {
      return Math.max(0, cap - waiting);
    }
  }

  /** Empty when there is no such workspace. */
  Optional<Backlog> backlog(String workspace, int largest) {
    return jdbc.sql(BACKLOG)
        .param("id", workspace)
        .param("largest", largest)
        .query((rs, n) -> new Backlog(rs.getInt("most"), rs.getLong("waiting")))
        .optional();
  }
}
