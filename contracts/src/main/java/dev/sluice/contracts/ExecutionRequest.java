package dev.sluice.contracts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a producer asks for: data of {@link EventTypes#REQUESTED}. Made by {@link RequestParser}
 * only, so an instance is valid.
 *
 * @param input any JSON, compact, as text; "null" when the producer gave none
 * @param limits the caller's own caps, besides those of workspace and definition
 */
public record ExecutionRequest(
    String workspaceId,
    String definitionId,
    String input,
    @Nullable String idempotencyKey,
    int priority,
    @Nullable Instant notBefore,
    @Nullable Instant expiresAt,
    @Nullable Duration deadline,
    @Nullable String partitionKey,
    List<KeyLimit> limits,
    @Nullable String parentId) {

  public static final int FIRST_PRIORITY = 0;
  public static final int DEFAULT_PRIORITY = 5;
  public static final int LAST_PRIORITY = 9;

  /** No more than {@code max} executions of the workspace with this key may be open. */
  public record KeyLimit(String key, int max) {}
}
