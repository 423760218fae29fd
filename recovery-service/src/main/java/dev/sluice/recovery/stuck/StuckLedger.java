package dev.sluice.recovery.stuck;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which claims are past their lease. The database's clock decides, ours may be an hour off. */
final class StuckLedger {
  private static final String PAST_THEIR_LEASE =
      """
      select id, workspace_id, redrives, claimed_at, true as past_lease
        from workflow_execution_queue
       where state = 'CLAIMED' and claimed_at < now() - make_interval(secs => :lease)
         and (claimed_at, id) > (coalesce(cast(:at as timestamptz), '-infinity'),
                                 coalesce(cast(:id as uuid), '00000000-0000-0000-0000-000000000000'))
       order by claimed_at, id
       limit :batch
      """;

  private static final String STILL_CLAIMED =
      """
      select id, workspace_id, redrives, claimed_at,
             claimed_at < now() - make_interval(secs => :lease) as past_lease
        from workflow_execution_queue
       where id = any (cast(:ids as uuid[])) and state = 'CLAIMED'
      """;

  private final JdbcClient database;

  StuckLedger(JdbcClient database) {
    this.database = database;
  }

  record Claim(
      UUID id, String workspaceId, int redrives, OffsetDateTime claimedAt, boolean pastLease) {}

  /** The oldest first, after the one given. */
  List<Claim> pastTheirLease(Duration lease, @Nullable Claim after, int batch) {
    return database
        .sql(PAST_THEIR_LEASE)
        .param("lease", lease.toMillis() / 1000.0)
        .param("at", after == null ? null : after.claimedAt())
        .param("id", after == null ? null : after.id())
        .param("batch", batch)
        .query(StuckLedger::claim)
        .list();
  }

  List<Claim> stillClaimed(Collection<UUID> ids, Duration lease) {
    return database
        .sql(STILL_CLAIMED)
        .param("lease", lease.toMillis() / 1000.0)
        .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
        .query(StuckLedger::claim)
        .list();
  }

  private static Claim claim(ResultSet row, int number) throws SQLException {
    return new Claim(
        row.getObject("id", UUID.class),
        row.getString("workspace_id"),
        row.getInt("redrives"),
        row.getObject("claimed_at", OffsetDateTime.class),
        row.getBoolean("past_lease"));
  }
}
