package dev.sluice.recovery;

import dev.sluice.contracts.ExecutionIds;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes rows and their events as the dispatcher does: in one statement. */
public final class DispatcherStandIn {
  private static final String ACCEPT =
      """
      with row as (
        insert into workflow_execution_queue (id, workspace_id, definition_id, definition_version, state, priority, input)
        values (:id, :workspace, 'report', 1, 'PENDING', 5, '{}') returning *)
      select tell_change(id, revision, workspace_id, definition_id, state, now(), attempts,
                         '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01') from row
      """;

  private static final String CLAIM =
      """
      with row as (
        update workflow_execution_queue
           set state = 'CLAIMED', claim_token = gen_random_uuid(), claimed_at = now(), revision = revision + 1
         where id = :id and state = 'PENDING' returning *),
      held as (
        insert into workflow_execution (id, workspace_id, definition_id, definition_version)
        select id, workspace_id, definition_id, definition_version from row)
      select tell_change(id, revision, workspace_id, definition_id, state, claimed_at, attempts, null) from row
      """;

  private static final String DISPATCH =
      """
      with row as (
        update workflow_execution_queue
           set state = 'DISPATCHED', claim_token = null, dispatched_at = now(), revision = revision + 1, run_id = 'run'
         where id = :id and state = 'CLAIMED' returning *)
      select tell_change(id, revision, workspace_id, definition_id, state, dispatched_at, attempts, null, run_id) from row
      """;

  private static final String CLOSE =
      """
      with row as (
        update workflow_execution set status = 'COMPLETED', closed_at = now(), result = '{"pages": 3.10}'
         where id = :id and status = 'RUNNING' returning *)
      select tell_close(id, workspace_id, definition_id, closed_at, 0, null, 'run', status, result, error) from row
      """;

  private final JdbcClient sql;
  private final String workspace;

  public DispatcherStandIn(JdbcClient sql, String workspace) {
    this.sql = sql;
    this.workspace = workspace;
  }

  public UUID accept() {
    UUID id = ExecutionIds.mint();
    sql.sql(ACCEPT).param("id", id).param("workspace", workspace).query().singleRow();
    return id;
  }

  public UUID claimed() {
    UUID id = accept();
    sql.sql(CLAIM).param("id", id).query().singleRow();
    return id;
  }

  public UUID dispatched() {
    UUID id = claimed();
    dispatch(id);
    return id;
  }

  public void dispatch(UUID id) {
    sql.sql(DISPATCH).param("id", id).query().singleRow();
  }

  public void close(UUID id) {
    sql.sql(CLOSE).param("id", id).query().singleRow();
  }

  /** The whole life of one execution, four events. */
  public UUID live() {
    UUID id = dispatched();
    close(id);
    return id;
  }
}
