package dev.sluice.ingest.status;

import java.util.UUID;

/** What is known of an id. */
sealed interface Lookup {
  record Found(ItemRow item) implements Lookup {}

  /** Acknowledged, or it may be: not a row yet. */
  record Accepted(UUID id) implements Lookup {}

  record Unknown() implements Lookup {}
}
