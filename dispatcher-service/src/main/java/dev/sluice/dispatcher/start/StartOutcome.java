package dev.sluice.dispatcher.start;

import dev.sluice.contracts.FailureCode;

/** What became of asking Temporal to start a workflow. */
public sealed interface StartOutcome {
  /** Temporal has the workflow now. */
  record Started(String runId) implements StartOutcome {}

  /** It had it already: an earlier try went through, though nobody heard the answer. */
  record AlreadyStarted(String runId) implements StartOutcome {}

  /** The item's own fault: asking again in the same way would be refused again. */
  record Rejected(FailureCode code, String message) implements StartOutcome {}

  /** Not the item's fault: Temporal is away, overloaded or not set up. Nothing was started. */
  record Outage(String detail) implements StartOutcome {}

  /** It may or may not have been started: the slot stays held until the same id is known. */
  record Unknown(String detail) implements StartOutcome {}
}
