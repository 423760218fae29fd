package dev.sluice.ingest.bulk;

import java.util.UUID;

/** One that a filter found. */
record Match(UUID id, long seq) {}
