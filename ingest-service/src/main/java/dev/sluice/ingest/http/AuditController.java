package dev.sluice.ingest.http;

import dev.sluice.ingest.audit.Audit;
import dev.sluice.ingest.audit.AuditEntry;
import dev.sluice.ingest.catalogue.Page;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Tag(name = "Operation")
@RestController
class AuditController {
  private final Audit audit;

  AuditController(Audit audit) {
    this.audit = audit;
  }

  @Operation(operationId = "listAudit", summary = "What operators did, newest first")
  @GetMapping(path = "/v1/audit", produces = MediaType.APPLICATION_JSON_VALUE)
  Page<AuditEntry> list(
      @Parameter(schema = @Schema(pattern = Ids.ID_PATTERN)) @RequestParam(required = false)
          @Nullable String workspaceId,
      @Paging.Limit @RequestParam(defaultValue = "50") int limit,
      @Paging.AfterNumber @RequestParam(required = false) @Nullable String after) {
    if (workspaceId != null) {
      Ids.check("workspaceId", workspaceId);
    }
    Paging.check(limit);
    List<AuditEntry> entries =
        audit.entries(Optional.ofNullable(workspaceId), Paging.number(after), limit + 1);
    if (entries.size() <= limit) {
      return new Page<>(entries, null);
    }
    List<AuditEntry> page = entries.subList(0, limit);
    return new Page<>(page, Long.toString(page.getLast().id()));
  }
}
