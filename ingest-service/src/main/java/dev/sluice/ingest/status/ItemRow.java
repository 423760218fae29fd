package dev.sluice.ingest.status;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.ExecutionRequest.KeyLimit;
import dev.sluice.contracts.ItemState;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.ingest.flow.WaitingFor;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** A queue row and its execution row, less the input. */
record ItemRow(
    UUID id,
    long seq,
    String workspaceId,
    String definitionId,
    @Nullable Integer definitionVersion,
    ItemState state,
    int priority,
    int attempts,
    int redrives,
    String gate,
    @Nullable Instant readyAt,
    @Nullable Parked parked,
    Execution.@Nullable Failure failure,
    Times times,
    Asked asked,
    @Nullable UUID retryOf,
    @Nullable UUID claimOwner,
    WorkflowStatus workflowStatus,
    boolean graph,
    @Nullable String runId,
    @Nullable String result,
    @Nullable String error) {

  /**
   * What it has to stand aside for.
   *
   * @param key of its limits, the one it waits for
   * @param max how many of that key may be open for this one
   */
  record Parked(String on, @Nullable String key, int max) {}

  /**
   * When it got where.
   *
   * @param claimedAt renewed for as long as Temporal is asked
   * @param startedAt when it got its slot
   */
  record Times(
      Instant acceptedAt,
      @Nullable Instant claimedAt,
      @Nullable Instant startedAt,
      @Nullable Instant dispatchedAt,
      @Nullable Instant closedAt,
      @Nullable Instant cancelRequestedAt,
      @Nullable Instant terminateAt) {}

  /** What the producer wanted. */
  record Asked(
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt,
      @Nullable Duration deadline,
      @Nullable String partitionKey,
      List<KeyLimit> limits,
      @Nullable String parentId,
      @Nullable String idempotencyKey) {}

  static ItemRow read(ResultSet rs, int n) throws SQLException {
    String code = rs.getString("failure_code");
    String status = rs.getString("status");
    return new ItemRow(
        rs.getObject("id", UUID.class),
        rs.getLong("seq"),
        rs.getString("workspace_id"),
        rs.getString("definition_id"),
        rs.getObject("definition_version", Integer.class),
        ItemState.valueOf(rs.getString("state")),
        rs.getInt("priority"),
        rs.getInt("attempts"),
        rs.getInt("redrives"),
        rs.getString("gate"),
        instant(rs, "ready_at"),
        parked(rs),
        code == null ? null : new Execution.Failure(code, rs.getString("failure_message")),
        times(rs),
        asked(rs),
        rs.getObject("retry_of", UUID.class),
        rs.getObject("claim_owner", UUID.class),
        // Its row is gone before the queue's only when retention is at work.
        status == null ? WorkflowStatus.NOT_FOUND : WorkflowStatus.valueOf(status),
        rs.getBoolean("is_graph"),
        rs.getString("run"),
        rs.getString("result"),
        rs.getString("error"));
  }

  /** Nothing more will happen to it by itself. */
  boolean ended() {
    return switch (state) {
      case PENDING, CLAIMED -> false;
      case DISPATCHED -> workflowStatus.isClosed();
      case FAILED, CANCELLED, EXPIRED -> true;
    };
  }

  boolean isRunningGraph() {
    return graph && state == ItemState.DISPATCHED && !workflowStatus.isClosed();
  }

  /** A graph that has completed is done with each of its nodes, which its result names. */
  Optional<GraphProgress> completedGraph() {
    if (!graph || workflowStatus != WorkflowStatus.COMPLETED || result == null) {
      return Optional.empty();
    }
    int nodes = Json.MAPPER.readTree(result).path("nodes").size();
    return Optional.of(GraphProgress.of(List.of(), nodes, nodes));
  }

  Execution toExecution(
      @Nullable WaitingFor waitingFor,
      @Nullable Long position,
      Execution.@Nullable EstimatedStart estimatedStart,
      @Nullable GraphProgress progress) {
    return new Execution(
        id,
        workspaceId,
        definitionId,
        definitionVersion,
        state.name(),
        priority,
        attempts,
        waitingFor,
        position,
        failure,
        times.acceptedAt,
        times.claimedAt,
        times.dispatchedAt,
        times.closedAt,
        state == ItemState.DISPATCHED ? workflow(progress) : null,
        redrives > 0 ? redrives : null,
        retryOf,
        asked.parentId,
        asked.partitionKey,
        asked.idempotencyKey,
        asked.notBefore,
        asked.expiresAt,
        asked.deadline,
        times.cancelRequestedAt,
        times.terminateAt,
        asked.limits.isEmpty() ? null : asked.limits,
        estimatedStart,
        state == ItemState.CLAIMED ? claimOwner : null);
  }

  private Execution.Workflow workflow(@Nullable GraphProgress progress) {
    return new Execution.Workflow(
        ExecutionIds.workflowId(id),
        runId,
        workflowStatus.name(),
        progress,
        result == null ? null : new RawValue(result),
        error);
  }

  private static Times times(ResultSet rs) throws SQLException {
    Instant closed = instant(rs, "closed_at");
    return new Times(
        rs.getObject("accepted_at", OffsetDateTime.class).toInstant(),
        instant(rs, "claimed_at"),
        instant(rs, "started_at"),
        instant(rs, "dispatched_at"),
        closed == null ? instant(rs, "ended_at") : closed,
        instant(rs, "cancel_requested_at"),
        instant(rs, "terminate_at"));
  }

  private static Asked asked(ResultSet rs) throws SQLException {
    Long deadline = rs.getObject("deadline_ms", Long.class);
    return new Asked(
        instant(rs, "not_before"),
        instant(rs, "expires_at"),
        deadline == null ? null : Duration.ofMillis(deadline),
        rs.getString("partition_key"),
        limits(rs),
        rs.getString("parent_id"),
        rs.getString("idempotency_key"));
  }

  private static @Nullable Parked parked(ResultSet rs) throws SQLException {
    String on = rs.getString("parked_on");
    return on == null ? null : new Parked(on, rs.getString("parked_key"), rs.getInt("parked_max"));
  }

  private static List<KeyLimit> limits(ResultSet rs) throws SQLException {
    Array keys = rs.getArray("limit_keys");
    Array maxes = rs.getArray("limit_maxes");
    if (keys == null || maxes == null) {
      return List.of();
    }
    String[] key = (String[]) keys.getArray();
    Integer[] max = (Integer[]) maxes.getArray();
    return IntStream.range(0, key.length).mapToObj(i -> new KeyLimit(key[i], max[i])).toList();
  }

  private static @Nullable Instant instant(ResultSet rs, String column) throws SQLException {
    OffsetDateTime time = rs.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
