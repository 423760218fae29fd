package dev.sluice.ingest.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.contracts.ExecutionRequest.KeyLimit;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.ingest.flow.WaitingFor;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An execution as its producer sees it. Of one that is acknowledged but not a row yet, only id and
 * status are known.
 *
 * @param status PENDING, CLAIMED, DISPATCHED, FAILED, CANCELLED, EXPIRED; ACCEPTED before it is a
 *     row
 * @param position among what is ready to start, 1 for the next; absent when it is not ready, or too
 *     far back to count
 * @param redrives how often somebody took over its claim
 * @param terminateAt it was asked to stop, and has until then
 * @param limits the caller's own caps
 * @param claimedBy the dispatcher that is starting it
 * @param closedAt when its workflow closed, or when it ended without one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Execution(
    UUID id,
    @Nullable String workspaceId,
    @Nullable String definitionId,
    @Nullable Integer definitionVersion,
    @Schema(
            allowableValues = {
              ACCEPTED,
              "PENDING",
              "CLAIMED",
              "DISPATCHED",
              "FAILED",
              "CANCELLED",
              "EXPIRED"
            })
        String status,
    @Nullable Integer priority,
    @Nullable Integer attempts,
    @Nullable WaitingFor waitingFor,
    @Nullable Long position,
    @Nullable Failure failure,
    @Nullable Instant acceptedAt,
    @Nullable Instant claimedAt,
    @Nullable Instant dispatchedAt,
    @Nullable Instant closedAt,
    @Nullable Workflow workflow,
    @Nullable Integer redrives,
    @Nullable UUID retryOf,
    @Nullable String parentId,
    @Nullable String partitionKey,
    @Nullable String idempotencyKey,
    @Nullable Instant notBefore,
    @Nullable Instant expiresAt,
    @Nullable Duration deadline,
    @Nullable Instant cancelRequestedAt,
    @Nullable Instant terminateAt,
    @Nullable List<KeyLimit> limits,
    @Nullable EstimatedStart estimatedStart,
    @Nullable UUID claimedBy) {

  public static final String ACCEPTED = "ACCEPTED";

  /**
   * When it will start, as far as can be told.
   *
   * @param basis what that was computed from
   */
  public record EstimatedStart(Instant at, String basis) {}

  /** Why it never will. */
  public record Failure(String code, String message) {}

  /**
   * The part that lives in Temporal.
   *
   * @param progress of a graph that runs or has completed; absent when the worker does not answer
   * @param result any JSON
   * @param error the message of its failure
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Workflow(
      String workflowId,
      @Nullable String runId,
      @Schema(implementation = WorkflowStatus.class) String status,
      @Nullable GraphProgress progress,
      @Nullable Object result,
      @Nullable String error) {}

  static Execution accepted(UUID id) {
    return new Execution(
        id, null, null, null, ACCEPTED, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null, null, null, null, null, null, null);
  }
}
