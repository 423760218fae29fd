package dev.sluice.ingest.status;

import dev.sluice.ingest.flow.FlowState;
import dev.sluice.ingest.flow.Pause;
import dev.sluice.ingest.flow.WaitingFor;
import dev.sluice.ingest.status.ItemRow.Parked;
import dev.sluice.ingest.status.WorkspaceState.OfDefinition;
import dev.sluice.ingest.status.WorkspaceState.Slots;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in a sentence why an item does not start yet: the reason that ends last comes first. */
final class WhyWaiting {
  private static final OfDefinition FREE = new OfDefinition(null, null);

  private WhyWaiting() {}

  /** Of one that is PENDING. */
  static WaitingFor of(ItemRow item, WorkspaceState workspace) {
    OfDefinition definition = workspace.definitions().getOrDefault(item.definitionId(), FREE);
    return delayed(item)
        .or(workspace.flow()::standstill)
        .or(() -> paused(item, definition.pause()))
        .or(() -> parked(item, workspace, definition.slots()))
        .orElseGet(workspace.flow()::whyReadyOnesWait);
  }

  /** Of one that is CLAIMED: it has its slot, and only Temporal has not answered yet. */
  static WaitingFor ofClaimed(ItemRow item) {
    Instant claimed = item.times().claimedAt();
    Instant started = item.times().startedAt();
    Instant since = claimed == null ? item.times().acceptedAt() : claimed;
    return FlowState.temporal(started != null && started.isBefore(since) ? started : since);
  }

  private static Optional<WaitingFor> delayed(ItemRow item) {
    if (!item.gate().equals("delayed")) {
      return Optional.empty();
    }
    boolean asAsked = item.readyAt() != null && item.readyAt().equals(item.asked().notBefore());
    return Optional.of(
        asAsked
            ? new WaitingFor(WaitingFor.NOT_BEFORE, "is to start at " + item.readyAt())
            : new WaitingFor(
                WaitingFor.BACKOFF,
                "start %d was refused by Temporal, tried again at %s"
                    .formatted(item.attempts(), item.readyAt())));
  }

  private static Optional<WaitingFor> paused(ItemRow item, @Nullable Pause pause) {
    boolean parked = item.parked() != null && item.parked().on().equals("paused");
    if (pause == null && !parked) {
      return Optional.empty();
    }
    return Optional.of(
        new WaitingFor(
            WaitingFor.PAUSED,
            pause == null
                ? "definition %s was paused until a moment ago".formatted(item.definitionId())
                : "definition %s is paused%s".formatted(item.definitionId(), pause.text())));
  }

  private static Optional<WaitingFor> parked(
      ItemRow item, WorkspaceState workspace, @Nullable Slots slots) {
    Parked parked = item.parked();
    String on = parked == null ? "" : parked.on();
    if (on.equals("partition")) {
      return Optional.of(
          new WaitingFor(
              WaitingFor.PARTITION,
              "another execution with partition key %s goes first"
                  .formatted(item.asked().partitionKey())));
    }
    if (parked != null && parked.key() != null) {
      long open = workspace.openByKey().getOrDefault(parked.key(), 0L);
      return Optional.of(
          new WaitingFor(
              WaitingFor.LIMIT,
              "%d of %d executions with key %s open".formatted(open, parked.max(), parked.key())));
    }
    if (on.equals("definition") || (slots != null && slots.full())) {
      return Optional.of(
          new WaitingFor(
              WaitingFor.DEFINITION_LIMIT,
              slots == null
                  ? "the slots of definition %s were held".formatted(item.definitionId())
                  : "%d of %d slots of definition %s held"
                      .formatted(slots.held(), slots.limit(), item.definitionId())));
    }
    return Optional.empty();
  }
}
