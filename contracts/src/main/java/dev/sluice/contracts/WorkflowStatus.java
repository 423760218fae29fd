package dev.sluice.contracts;

/** How a started workflow stands. A RUNNING execution row is a held slot. */
public enum WorkflowStatus {
  RUNNING,
  COMPLETED,
  FAILED,
  CANCELED,
  TERMINATED,
  TIMED_OUT,
  /** Temporal no longer knows it: past its retention, deleted, or an in-memory server restarted. */
  NOT_FOUND;

  public boolean isClosed() {
    return this != RUNNING;
  }
}
