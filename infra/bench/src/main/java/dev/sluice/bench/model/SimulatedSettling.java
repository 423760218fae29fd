package dev.sluice.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * {@code Settling} and its half of {@code PipelineLoop}: a thread that writes back what was
 * started, and lets it gather while more is under way or was a moment ago.
 */
final class SimulatedSettling {
  private final Processors processors;
  private final Costs costs;
  private final Limits limits;
  private final SimulatedStarts starts;
  private final Deque<Integer> started = new ArrayDeque<>();
  private boolean idle = true;
  private double settledAt = Double.NEGATIVE_INFINITY;
  private final Gathering untilRoom;

  SimulatedSettling(Processors processors, Costs costs, Limits limits, SimulatedStarts starts) {
    this.processors = processors;
    this.costs = costs;
    this.limits = limits;
    this.starts = starts;
    this.untilRoom = new Gathering(processors, this::settle);
  }

  void add(int item) {
    started.addLast(item);
    if (idle) {
      idle = false;
      gather();
    } else if (!starts.hasPlenty()) {
      untilRoom.endNow();
    }
  }

  private void gather() {
    boolean justWritten = processors.now() - settledAt < limits.settleGather();
    if (starts.isEmpty() && !justWritten) {
      processors.after(0, this::settle);
    } else {
      processors.after(limits.settleGather(), this::awaitRoom);
    }
  }

  private void awaitRoom() {
    if (starts.hasPlenty()) {
      untilRoom.begin(limits.longestSettleGather());
    } else {
      settle();
    }
  }

  private void settle() {
    List<Integer> batch = SimulatedIntake.take(started, limits.settleBatch());
    int workspaces = (int) batch.stream().mapToInt(starts::workspaceOf).distinct().count();
    processors.run(
        costs.settle().of(batch.size(), workspaces),
        () -> {
          settledAt = processors.now();
          if (started.isEmpty()) {
            idle = true;
          } else {
            gather();
          }
        });
  }
}
