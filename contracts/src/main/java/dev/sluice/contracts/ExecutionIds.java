package dev.sluice.contracts;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.NameBasedGenerator;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One id from the producer's hand to Temporal. The same request has the same id wherever it comes
 * in, so that {@code ON CONFLICT (id) DO NOTHING} is the whole of deduplication.
 */
public final class ExecutionIds {
  /** Name space of the name-based (version 5, SHA-1) ids. Fixed for ever. */
  public static final UUID NAMESPACE = UUID.fromString("5b1ce000-51d1-5c1e-8000-736c75696365");

  private static final TimeBasedEpochGenerator TIME_BASED = Generators.timeBasedEpochGenerator();
  private static final NameBasedGenerator NAME_BASED = Generators.nameBasedGenerator(NAMESPACE);

  private ExecutionIds() {}

  /** A UUIDv7: for a request that nothing identifies. */
  public static UUID mint() {
    return TIME_BASED.generate();
  }

  /** The id of a request with a key of the caller's own. */
  public static UUID ofKey(String workspaceId, String idempotencyKey) {
    return NAME_BASED.generate(workspaceId + "\nkey\n" + idempotencyKey);
  }

  /** The id of a request identified by its CloudEvent alone. */
  public static UUID ofEvent(String workspaceId, String source, String eventId) {
    return NAME_BASED.generate(workspaceId + "\nevent\n" + source + "\n" + eventId);
  }

  public static String workflowId(UUID id) {
    return "execution-" + id;
  }

  /** When a UUIDv7 was made; empty for any other id. */
  public static Optional<Instant> mintedAt(UUID id) {
    return id.version() == 7
        ? Optional.of(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
        : Optional.empty();
  }
}
