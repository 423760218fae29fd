package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How many executions all workspaces together may have open.
 *
 * @param limit absent: as many as their own limits allow
 * @param held how many are open
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SystemLimit(@Nullable Integer limit, long held) {}
