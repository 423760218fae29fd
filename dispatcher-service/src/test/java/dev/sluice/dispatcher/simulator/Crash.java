package dev.sluice.dispatcher.simulator;

/** The process ends here: whatever is not in PostgreSQL, Kafka or Temporal is gone. */
final class Crash extends Error {
  private static final long serialVersionUID = 1;

  Crash(String where) {
    super(where, null, false, false);
  }
}
