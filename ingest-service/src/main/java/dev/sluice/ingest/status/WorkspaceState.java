package dev.sluice.ingest.status;

import dev.sluice.ingest.flow.FlowState;
import dev.sluice.ingest.flow.Pause;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What decides when a workspace's items start.
 *
 * @param definitions those with a limit of their own, or paused
 * @param openByKey how many executions are open with a caller's own key
 */
record WorkspaceState(
    FlowState flow, Map<String, OfDefinition> definitions, Map<String, Long> openByKey) {

  /** What holds back the items of a definition. */
  record OfDefinition(@Nullable Slots slots, @Nullable Pause pause) {}

  /** Slots of a definition. */
  record Slots(int limit, long held) {
    boolean full() {
      return held >= limit;
    }
  }
}
