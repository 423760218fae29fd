package dev.sluice.contracts.graph;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * What {@link SluiceGraph#PROGRESS_QUERY} answers.
 *
 * @param percent of the nodes that are done, rounded down; it never goes back
 * @param currentNodes ids of the nodes at work, in dependency order
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record GraphProgress(
    int percent, List<String> currentNodes, int completedNodes, int totalNodes) {
  public GraphProgress {
    currentNodes = List.copyOf(currentNodes);
  }

  public static GraphProgress of(List<String> currentNodes, int completed, int total) {
    return new GraphProgress(
        total == 0 ? 0 : completed * 100 / total, currentNodes, completed, total);
  }
}
