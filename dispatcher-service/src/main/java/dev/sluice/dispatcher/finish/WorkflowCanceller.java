package dev.sluice.dispatcher.finish;

import java.util.UUID;

/** Asks a running workflow to stop, and ends one that did not in the time it had. */
public interface WorkflowCanceller {
  void cancel(UUID id, String workspaceId);

  /** Whoever asks for this asks again until the workflow is closed, so one try is enough. */
  void terminate(UUID id, String workspaceId);
}
