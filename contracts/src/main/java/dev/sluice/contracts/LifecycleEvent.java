package dev.sluice.contracts;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Data of an event on {@link Topics#EVENTS}: one state change of one execution. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LifecycleEvent(
    UUID id,
    String workspaceId,
    String definitionId,
    String status,
    Instant at,
    int attempts,
    @Nullable Workflow workflow,
    @Nullable Failure failure,
    @Nullable Boolean replay) {

  /** The part of the state that lives in Temporal. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Workflow(
      String workflowId,
      @Nullable String runId,
      String status,
      @Nullable JsonNode result,
      @Nullable String error) {}

  /** Why nothing was started. */
  public record Failure(String code, String message) {}
}
