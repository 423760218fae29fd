package dev.sluice.ingest.audit;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/** Who did what, when and why. */
@Service
public class Audit {
  private static final Logger log = LoggerFactory.getLogger(Audit.class);

  private final AuditRepository entries;

  Audit(AuditRepository entries) {
    this.entries = entries;
  }

  /** Called inside the transaction of the change, so that there is neither without the other. */
  public void changed(
      Operator by,
      String action,
      @Nullable String workspace,
      @Nullable String subject,
      Changes changes) {
    entries.insert(by, action, workspace, subject, changes.isEmpty() ? null : changes.json());
  }

  /**
   * Of what Kafka has acknowledged, and so will happen. Should the database be away just then, the
   * log has it: to say that the action failed would have it done twice.
   */
  public void published(
      Operator by, String action, String workspace, @Nullable String subject, Changes changes) {
    try {
      changed(by, action, workspace, subject, changes);
    } catch (DataAccessException | TransactionException e) {
      log.atError()
          .addKeyValue("actor", by.name())
          .addKeyValue("action", action)
          .addKeyValue("workspace", workspace)
          .addKeyValue("subject", subject)
          .addKeyValue("reason", by.reason())
          .addKeyValue("detail", changes.json())
          .setCause(e)
          .log("done, but not written to the audit table");
    }
  }

  /** Newest first. */
  public List<AuditEntry> entries(Optional<String> workspace, Optional<Long> before, int most) {
    return entries.entries(workspace, before.orElse(Long.MAX_VALUE), most);
  }
}
