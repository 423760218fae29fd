package dev.sluice.chaos.load;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request as its producer sees it.
 *
 * @param name tells it from all others; its workflow carries it
 * @param key of idempotency; without one it is sent once and never again
 */
record Order(
    String name, String workspaceId, @Nullable String key, int priority, int milliseconds) {
  static final String DEFINITION = "work";

  ObjectNode body() {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("definitionId", DEFINITION);
    body.putObject("input").put("name", name).put("milliseconds", milliseconds);
    body.put("priority", priority);
    if (key != null) {
      body.put("idempotencyKey", key);
    }
    return body;
  }

  /** Known before it is sent, where there is a key. */
  @Nullable UUID expectedId() {
    return key == null ? null : ExecutionIds.ofKey(workspaceId, key);
  }
}
