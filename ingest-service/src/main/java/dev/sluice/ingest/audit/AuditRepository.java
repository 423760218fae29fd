package dev.sluice.ingest.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.util.RawValue;

/** The audit table: written and read, never changed. */
@Repository
class AuditRepository {
  private static final String INSERT =
      """
      insert into audit (actor, action, workspace_id, subject, reason, detail)
      values (:actor, :action, :workspace, :subject, :reason, :detail::jsonb)
      """;

  private static final String ENTRIES =
      "select id, at, actor, action, workspace_id, subject, reason, detail from audit where id <"
          + " :before";

  private static final String NEWEST = ENTRIES + " order by id desc limit :most";
  private static final String NEWEST_OF_WORKSPACE =
      ENTRIES + " and workspace_id = :workspace order by id desc limit :most";

  private final JdbcClient jdbc;

  AuditRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(
      Operator by,
      String action,
      @Nullable String workspace,
      @Nullable String subject,
      @Nullable String detail) {
    jdbc.sql(INSERT)
        .param("actor", by.name())
        .param("action", action)
        .param("workspace", workspace, Types.VARCHAR)
        .param("subject", subject, Types.VARCHAR)
        .param("reason", by.reason(), Types.VARCHAR)
        .param("detail", detail, Types.VARCHAR)
        .update();
  }

  /** Newest first. */
  List<AuditEntry> entries(Optional<String> workspace, long before, int most) {
    var sql = jdbc.sql(workspace.isPresent() ? NEWEST_OF_WORKSPACE : NEWEST);
    return workspace
        .map(id -> sql.param("workspace", id))
        .orElse(sql)
        .param("before", before)
        .param("most", most)
        .query((rs, n) -> entry(rs))
        .list();
  }

  private static AuditEntry entry(ResultSet rs) throws SQLException {
    String detail = rs.getString("detail");
    return new AuditEntry(
        rs.getLong("id"),
        rs.getObject("at", OffsetDateTime.class).toInstant(),
        rs.getString("actor"),
        rs.getString("action"),
        rs.getString("workspace_id"),
        rs.getString("subject"),
        rs.getString("reason"),
        detail == null ? null : new RawValue(detail));
  }
}
