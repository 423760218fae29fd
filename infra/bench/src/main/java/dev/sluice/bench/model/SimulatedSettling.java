package dev.sluice.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * {@code Settling} and its half of {@code PipelineLoop}: a thread that writes back what was
 * started, and lets it gather while more is under way.
 */
final class SimulatedSettling {
  private final Processors processors;
  private final Costs costs;
  private final Limits limits;
  private final SimulatedStarts starts;
  private final Deque<Integer> started = new ArrayDeque<>();
  private boolean idle = true;
  private boolean awaitsRoom;
  private long gatherings;

  SimulatedSettling(Processors processors, Costs costs, Limits limits, SimulatedStarts starts) {
    this.processors = processors;
    this.costs = costs;
    this.limits = limits;
    this.starts = starts;
  }

  void add(int item) {
    started.addLast(item);
    if (idle) {
      idle = false;
      gather();
    } else if (awaitsRoom && !starts.hasPlenty()) {
      awaitsRoom = false;
      processors.after(0, this::settle);
    }
  }

  private void gather() {
    if (starts.isEmpty()) {
      processors.after(0, this::settle);
    } else {
      processors.after(limits.settleGather(), this::awaitRoom);
    }
  }

  private void awaitRoom() {
    if (!starts.hasPlenty()) {
      settle();
      return;
    }
    awaitsRoom = true;
    long mine = ++gatherings;
    processors.after(
        limits.longestSettleGather(),
        () -> {
          if (awaitsRoom && mine == gatherings) {
            awaitsRoom = false;
            settle();
          }
        });
  }

  private void settle() {
    List<Integer> batch = SimulatedIntake.take(started, limits.settleBatch());
    int workspaces = (int) batch.stream().mapToInt(starts::workspaceOf).distinct().count();
    processors.run(
        costs.settle().of(batch.size(), workspaces),
        () -> {
          if (started.isEmpty()) {
            idle = true;
          } else {
            gather();
          }
        });
  }
}
