package dev.sluice.recovery.reconcile;

import dev.sluice.contracts.ItemState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The held slots. */
final class ReconcileLedger {
  private static final String HELD =
      """
      select x.id, x.workspace_id, q.state, x.checked_at, now() as asked_at
        from workflow_execution x
        join workflow_execution_queue q on q.id = x.id
       where x.closed_at is null and x.checked_at < now() - make_interval(secs => :quiet)
         and (x.checked_at, x.id) > (coalesce(cast(:at as timestamptz), '-infinity'),
                                     coalesce(cast(:id as uuid), '00000000-0000-0000-0000-000000000000'))
       order by x.checked_at, x.id
       limit :batch
      """;

  private static final String HELD_OF =
      """
      select x.id, x.workspace_id, q.state, x.checked_at, now() as asked_at
        from workflow_execution x
        join workflow_execution_queue q on q.id = x.id
       where x.status = 'RUNNING' and x.id = any (cast(:ids as uuid[]))
      """;

  private static final String COUNT_HELD =
      """
      select count(*) from workflow_execution where status = 'RUNNING'
      """;

  private final JdbcClient database;

  ReconcileLedger(JdbcClient database) {
    this.database = database;
  }

  /**
   * @param askedAt the database's time
   */
  record HeldSlot(
      UUID id,
      String workspaceId,
      ItemState state,
      OffsetDateTime checkedAt,
      OffsetDateTime askedAt) {}

  /** The one not looked at for longest first, after the one given. */
  List<HeldSlot> held(Duration quiet, @Nullable HeldSlot after, int batch) {
    return database
        .sql(HELD)
        .param("quiet", quiet.toMillis() / 1000.0)
        .param("at", after == null ? null : after.checkedAt())
        .param("id", after == null ? null : after.id())
        .param("batch", batch)
        .query(ReconcileLedger::slot)
        .list();
  }

  List<HeldSlot> heldOf(Collection<UUID> ids) {
    return database
        .sql(HELD_OF)
        .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
        .query(ReconcileLedger::slot)
        .list();
  }

  long countHeld() {
    return database.sql(COUNT_HELD).query(Long.class).single();
  }

  private static HeldSlot slot(ResultSet row, int number) throws SQLException {
    return new HeldSlot(
        row.getObject("id", UUID.class),
        row.getString("workspace_id"),
        ItemState.valueOf(row.getString("state")),
        row.getObject("checked_at", OffsetDateTime.class),
        row.getObject("asked_at", OffsetDateTime.class));
  }
}
