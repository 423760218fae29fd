package dev.sluice.contracts.graph;

/** How the workflow that runs graphs is reached in Temporal. */
public final class SluiceGraph {
  public static final String WORKFLOW_TYPE = "SluiceGraph";
  public static final String TASK_QUEUE = "sluice-graph";

  /** The query that answers with a {@link GraphProgress}. */
  public static final String PROGRESS_QUERY = "progress";

  private SluiceGraph() {}
}
