package dev.sluice.ingest.lag;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What waits in PostgreSQL although nothing forbids it to start. */
@Repository
class StartableRepository {
  /**
   * Goes from workspace to workspace along the index that admission reads, so that a million
   * waiting rows of one workspace cost a probe; looks only at as many rows as have a slot free.
   */
  private static final String OLDEST =
      """
      with recursive waiting as (
        (select workspace_id from workflow_execution_queue
          where state = 'PENDING' and gate = 'ready' order by workspace_id limit 1)
        union all
        select (select q.workspace_id from workflow_execution_queue q
                 where q.state = 'PENDING' and q.gate = 'ready' and q.workspace_id > w.workspace_id
                 order by q.workspace_id limit 1)
          from waiting w where w.workspace_id is not null
      )
      select coalesce(max(extract(epoch from statement_timestamp() - greatest(first.accepted_at, first.ready_at))), 0)
        from waiting
        join workspace w on w.id = waiting.workspace_id
        join plan p on p.id = w.plan_id
        join maintenance m on m.mode = 'normal'
       cross join lateral (
         select coalesce(w.concurrency_limit, p.concurrency_limit)
                - (select count(*) from workflow_execution e
                    where e.workspace_id = w.id and e.status = 'RUNNING') as slots) free
       cross join lateral (
         select q.accepted_at, q.ready_at from workflow_execution_queue q
          where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'ready'
          order by q.priority, q.seq limit least(greatest(free.slots, 0), 100)) first
       where w.paused_at is null or w.paused_until <= statement_timestamp()
      """;

  private final JdbcClient jdbc;

  StartableRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Zero when there is none. */
  double oldestSeconds() {
    return Math.max(0, jdbc.sql(OLDEST).query(Double.class).single());
  }
}
