package dev.sluice.recovery.retention;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Removes what is over, oldest first. The execution row goes with its queue row. */
final class RetentionLedger {
  private static final String REMOVE_CLOSED =
      """
      with old as (
        select q.id
          from workflow_execution x join workflow_execution_queue q on q.id = x.id
         where x.status <> 'RUNNING' and x.closed_at < now() - make_interval(secs => :keep)
           and q.state not in ('PENDING', 'CLAIMED')
         order by x.closed_at
         limit :batch
           for update of q skip locked)
      delete from workflow_execution_queue q using old where q.id = old.id
      """;

  private static final String REMOVE_ENDED =
      """
      with old as (
        select id
          from workflow_execution_queue
         where ended_at < now() - make_interval(secs => :keep)
         order by ended_at
         limit :batch
           for update skip locked)
      delete from workflow_execution_queue q using old where q.id = old.id
      """;

  private final JdbcClient database;

  RetentionLedger(JdbcClient database) {
    this.database = database;
  }

  int removeClosed(Duration keep, int batch) {
    return remove(REMOVE_CLOSED, keep, batch);
  }

  int removeEnded(Duration keep, int batch) {
    return remove(REMOVE_ENDED, keep, batch);
  }

  private int remove(String statement, Duration keep, int batch) {
    return database
        .sql(statement)
        .param("keep", keep.toMillis() / 1000.0)
        .param("batch", batch)
        .update();
  }
}
