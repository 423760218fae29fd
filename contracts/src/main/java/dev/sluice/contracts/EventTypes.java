package dev.sluice.contracts;

import java.util.Locale;

/** {@code ce_type} and {@code ce_source} of what travels on the topics. */
public final class EventTypes {
  public static final String REQUESTED = "sluice.execution.requested.v1";
  public static final String CANCEL_REQUESTED = "sluice.execution.cancel-requested.v1";

  /**
   * Source of the requests ingest-service publishes. Their {@code ce_id} is the UUIDv7 the producer
   * was given, and becomes the row's id as it is.
   */
  public static final String INGEST_SOURCE = "urn:sluice:ingest";

  public static final String DISPATCHER_SOURCE = "urn:sluice:dispatcher";
  public static final String RECOVERY_SOURCE = "urn:sluice:recovery";

  /** Name of the extension that carries W3C trace context. */
  public static final String TRACEPARENT = "traceparent";

  private EventTypes() {}

  /** The type of a lifecycle event, {@code sluice.execution.pending.v1} and so on. */
  public static String lifecycle(String kind) {
    return "sluice.execution." + kind.toLowerCase(Locale.ROOT) + ".v1";
  }
}
