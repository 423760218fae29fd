package dev.sluice.dispatcher.ledger;

import java.sql.Array;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * Something that others may have been waiting for is over: a slot, a partition key, a definition's
 * limit, a key of the caller's own limits.
 */
public record Freed(
    UUID id,
    String workspaceId,
    String definitionId,
    @Nullable String partitionKey,
    List<String> limitKeys) {
  static final RowMapper<Freed> ROW =
      (row, n) -> {
        Array keys = row.getArray("limit_keys");
        return new Freed(
            row.getObject("id", UUID.class),
            row.getString("workspace_id"),
            row.getString("definition_id"),
            row.getString("partition_key"),
            keys == null ? List.of() : List.of((String[]) keys.getArray()));
      };
}
