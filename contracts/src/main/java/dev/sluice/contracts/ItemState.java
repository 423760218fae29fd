package dev.sluice.contracts;

/** Where a request stands. {@link ItemTransition} says how it gets from one to the next. */
public enum ItemState {
  /** Accepted and waiting: for a slot, a time, or another item. */
  PENDING(false),
  /** Holds a slot; its start in Temporal is not resolved yet. */
  CLAIMED(false),
  /** Started in Temporal, exactly once. How the workflow goes on is {@link WorkflowStatus}. */
  DISPATCHED(true),
  /** Never started, with the reason. Can be retried by hand. */
  FAILED(true),
  /** Taken back before it was started. */
  CANCELLED(true),
  /** Its expiresAt passed before it could be started. */
  EXPIRED(true);

  private final boolean terminal;

  ItemState(boolean terminal) {
    this.terminal = terminal;
  }

  /** True when the dispatcher has nothing more to do to the queue row by itself. */
  public boolean isTerminal() {
    return terminal;
  }
}
