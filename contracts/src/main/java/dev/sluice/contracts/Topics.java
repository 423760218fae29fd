package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.common.utils.Utils;

/** The topics, and which partition is a workspace's home. */
public final class Topics {
  /** Enqueue and cancel requests, from any producer. */
  public static final String REQUESTS = "sluice.requests";

  /** Between the services only: finished, redrive, capacity-changed, retry. */
  public static final String SIGNALS = "sluice.signals";

  /** Every state change of every execution, for anyone. */
  public static final String EVENTS = "sluice.events";

  /** What could not be read, byte for byte, with the reason in its headers. */
  public static final String DEAD_LETTERS = "sluice.requests.dlt";

  /** The consumer group of the dispatchers. */
  public static final String DISPATCHER_GROUP = "sluice-dispatcher";

  /** A request larger than the body limit must still arrive, to be dead-lettered and not lost. */
  public static final int LARGEST_REQUEST_RECORD = 12 * 1024 * 1024;

  /** A dead letter is a request plus three headers. */
  public static final int LARGEST_DEAD_LETTER = LARGEST_REQUEST_RECORD + 64 * 1024;

  private Topics() {}

  /**
   * The partition of {@link #SIGNALS} whose consumer owns the workspace. Producers in other
   * languages may hash keys in their own way, so where a request arrived says nothing about who
   * owns its workspace; this does.
   */
  public static int homePartition(String workspaceId, int partitions) {
    return Utils.toPositive(Utils.murmur2(workspaceId.getBytes(UTF_8))) % partitions;
  }
}
