package dev.sluice.worker.graph;

import dev.sluice.contracts.graph.GraphProgress;
import dev.sluice.contracts.graph.SluiceGraph;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs one graph. */
@WorkflowInterface
public interface GraphWorkflow {
  /**
   * Runs every node once those it waits for are done.
   *
   * @param argument a {@link dev.sluice.contracts.graph.GraphRun}; taken as plain JSON, so that a
   *     wrong one fails the workflow with a reason instead of blocking it
   * @return {@code {"nodes": {id: output…}, "output": …}}
   */
  @WorkflowMethod(name = SluiceGraph.WORKFLOW_TYPE)
  JsonNode run(@Nullable JsonNode argument);

  @QueryMethod(name = SluiceGraph.PROGRESS_QUERY)
  GraphProgress progress();
}
