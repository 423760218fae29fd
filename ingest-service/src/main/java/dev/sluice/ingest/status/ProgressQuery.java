package dev.sluice.ingest.status;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.contracts.graph.SluiceGraph;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.query.v1.WorkflowQuery;
import io.temporal.api.workflowservice.v1.QueryWorkflowRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;

/** Asks the workflow of a running graph how far it is. No answer in time is no progress shown. */
@Component
class ProgressQuery {
  private static final Logger log = LoggerFactory.getLogger(ProgressQuery.class);

  /** While Temporal or the workers are away, not every GET has to wait to find it out. */
  private static final long REST = Duration.ofSeconds(5).toNanos();

  private final TemporalSettings settings;
  private final WorkflowServiceStubs temporal;
  private final AtomicLong restsUntil = new AtomicLong(System.nanoTime());

  ProgressQuery(TemporalSettings settings, WorkflowServiceStubs temporal) {
    this.settings = settings;
    this.temporal = temporal;
  }

  Optional<GraphProgress> of(UUID id) {
    if (System.nanoTime() - restsUntil.get() < 0) {
      return Optional.empty();
    }
    try {
      var answer =
          temporal
              .blockingStub()
              .withDeadlineAfter(settings.queryTimeout().toMillis(), TimeUnit.MILLISECONDS)
              .queryWorkflow(request(id));
      if (answer.getQueryResult().getPayloadsCount() == 0) {
        return Optional.empty();
      }
      byte[] json = answer.getQueryResult().getPayloads(0).getData().toByteArray();
      return Optional.of(Json.MAPPER.readValue(json, GraphProgress.class));
    } catch (StatusRuntimeException e) {
      restWhenAway(e.getStatus());
      log.atDebug()
          .addKeyValue("execution", id)
          .addKeyValue("cause", e.getStatus().getCode())
          .log("no progress to be had");
      return Optional.empty();
    } catch (JacksonException notOurs) {
      return Optional.empty();
    }
  }

  private QueryWorkflowRequest request(UUID id) {
    return QueryWorkflowRequest.newBuilder()
        .setNamespace(settings.namespace())
        .setExecution(WorkflowExecution.newBuilder().setWorkflowId(ExecutionIds.workflowId(id)))
        .setQuery(WorkflowQuery.newBuilder().setQueryType(SluiceGraph.PROGRESS_QUERY))
        .build();
  }

  private void restWhenAway(Status status) {
    switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED ->
          restsUntil.set(System.nanoTime() + REST);
      default -> {}
    }
  }
}
