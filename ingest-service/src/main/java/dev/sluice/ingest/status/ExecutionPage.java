package dev.sluice.ingest.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of a workspace's executions, newest first.
 *
 * @param next what {@code after} must be to get the next page; absent on the last
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecutionPage(List<Execution> items, @Nullable String next) {}
