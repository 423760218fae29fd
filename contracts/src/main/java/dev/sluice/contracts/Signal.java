package dev.sluice.contracts;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the services tell the owner of a workspace, on {@link Topics#SIGNALS}. All are hints: each
 * may come late, twice or never, and the receiver looks before it acts. Each insists on its fields,
 * because reading JSON would fill in nulls.
 */
public sealed interface Signal {
  String workspaceId();

  /** {@code ce_type}, one for each kind. */
  default String type() {
    return switch (this) {
      case Finished f -> Types.FINISHED;
      case Redrive r -> Types.REDRIVE;
      case CapacityChanged c -> Types.CAPACITY_CHANGED;
      case Retry r -> Types.RETRY;
    };
  }

  /** A workflow is said to be closed: ask Temporal, and free its slot. */
  record Finished(String workspaceId, UUID id) implements Signal {
    public Finished {
      Objects.requireNonNull(workspaceId);
      Objects.requireNonNull(id);
    }
  }

  /** A claim is older than its lease: ask Temporal whether the workflow exists, then go on. */
  record Redrive(String workspaceId, UUID id) implements Signal {
    public Redrive {
      Objects.requireNonNull(workspaceId);
      Objects.requireNonNull(id);
    }
  }

  /** A limit, a pause or a definition changed, or rows came in elsewhere: admit again. */
  record CapacityChanged(String workspaceId) implements Signal {
    public CapacityChanged {
      Objects.requireNonNull(workspaceId);
    }
  }

  /**
   * A person asked for it again.
   *
   * @param newId the id of the new item when {@code id} was started and is closed; unused when it
   *     FAILED, for then it keeps its id
   */
  record Retry(String workspaceId, UUID id, UUID newId, @Nullable String reason) implements Signal {
    public Retry {
      Objects.requireNonNull(workspaceId);
      Objects.requireNonNull(id);
      Objects.requireNonNull(newId);
    }
  }

  /** The {@code ce_type}s. */
  final class Types {
    public static final String FINISHED = "sluice.signal.finished.v1";
    public static final String REDRIVE = "sluice.signal.redrive.v1";
    public static final String CAPACITY_CHANGED = "sluice.signal.capacity-changed.v1";
    public static final String RETRY = "sluice.signal.retry.v1";

    private Types() {}
  }
}
