package dev.sluice.ingest.catalogue;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of a list.
 *
 * @param next what {@code after} must be to get the next page; absent on the last
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(List<T> items, @Nullable String next) {}
