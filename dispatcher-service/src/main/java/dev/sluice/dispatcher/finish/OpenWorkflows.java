package dev.sluice.dispatcher.finish;

import java.util.UUID;

/** The workflows somebody wants to hear the end of. */
public interface OpenWorkflows {
  /** It was started; tell when it closes. */
  void watch(UUID id, String workspaceId);

  /** It is said to have closed: look at once. */
  void hint(UUID id, String workspaceId);

  /** Its workspace is full, so that every close lets another start: look there first. */
  void urgent(String workspaceId);

  /** It is closed and written down. */
  void forget(UUID id);
}
