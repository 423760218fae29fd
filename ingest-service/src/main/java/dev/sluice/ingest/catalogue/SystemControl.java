package dev.sluice.ingest.catalogue;

import dev.sluice.ingest.audit.Audit;
import dev.sluice.ingest.audit.Changes;
import dev.sluice.ingest.audit.Operator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What holds for all workspaces. Every change is committed when its method returns. */
@Service
public class SystemControl {
  private final SystemRepository system;
  private final Audit audit;
  private final TransactionTemplate transaction;

  SystemControl(SystemRepository system, Audit audit, PlatformTransactionManager transactions) {
    this.system = system;
    this.audit = audit;
    this.transaction = new TransactionTemplate(transactions);
  }

  public Maintenance maintenance() {
    return system.maintenance();
  }

  public Maintenance setMode(Maintenance.Mode mode, Operator by) {
    transaction.executeWithoutResult(
        status -> {
          var changes = Changes.none().from("mode", system.lockedMode(), mode.text());
          system.setMode(mode);
          audit.changed(by, "maintenance.set", null, null, changes);
        });
    return system.maintenance();
  }

  public SystemLimit limit() {
    return system.limit();
  }

  public SystemLimit setLimit(@Nullable Integer limit, Operator by) {
    transaction.executeWithoutResult(
        status -> {
          var changes = Changes.none().from("limit", system.lockedLimit().orElse(null), limit);
          system.setLimit(limit);
          audit.changed(by, "limits.put", null, null, changes);
        });
    return system.limit();
  }
}
