package dev.sluice.ingest.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an operator did.
 *
 * @param subject what it was done to: a plan, a definition, an execution
 * @param detail what changed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditEntry(
    long id,
    Instant at,
    String actor,
    @Schema(example = "workspace.pause") String action,
    @Nullable String workspaceId,
    @Nullable String subject,
    @Nullable String reason,
    @Schema(types = "object") @Nullable Object detail) {}
