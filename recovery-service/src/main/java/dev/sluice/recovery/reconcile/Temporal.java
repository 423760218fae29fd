package dev.sluice.recovery.reconcile;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What the reconciler asks Temporal. */
interface Temporal {

  /** How a workflow stands. */
  sealed interface Seen {
    record Open() implements Seen {}

    record Closed(String how, Instant at) implements Seen {}

    /** Past its retention, deleted, or an in-memory server restarted. */
    record NotFound() implements Seen {}

    /** No answer: says nothing about the workflow. */
    record Unknown(String why) implements Seen {}
  }

  /** The current run, whichever that is: a continued or reset workflow is open. */
  Seen look(UUID executionId);

  /** What closed lately, as the visibility store has it: late, and perhaps not all. */
  sealed interface Listing {
    record Closed(List<UUID> ids, Instant newest) implements Listing {}

    /** This server has no such listing. */
    record Unsupported() implements Listing {}
  }

  Listing closedSince(Instant since);
}
