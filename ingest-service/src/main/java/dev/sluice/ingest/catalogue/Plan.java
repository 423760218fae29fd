package dev.sluice.ingest.catalogue;

/**
 * What the workspaces of a plan get.
 *
 * @param limit how many executions a workspace may have open at once
 * @param weight its share of the starts where they are scarcer than what waits
 */
public record Plan(String id, int limit, int weight) {
  public static final int DEFAULT_WEIGHT = 1;
}
