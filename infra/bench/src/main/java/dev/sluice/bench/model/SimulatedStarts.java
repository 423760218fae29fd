package dev.sluice.bench.model;

import dev.sluice.dispatcher.start.Allowance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/** {@code StartQueue} without what goes wrong: one of a workspace at a time, so many of all. */
final class SimulatedStarts {
  private final Processors processors;
  private final Costs costs;
  private final Limits limits;
  private final boolean atOnce;
  private final Allowance allowance;
  private final IntConsumer onStarted;
  private final List<Deque<Integer>> lanes = new ArrayList<>();
  private final Deque<Integer> ready = new ArrayDeque<>();
  private final Deque<Integer> sent = new ArrayDeque<>();
  private int claimed;
  private int underWay;
  private int served;

  /**
   * @param atOnce nothing is asked: answered by the thread that hands in
   */
  SimulatedStarts(
      Processors processors,
      Costs costs,
      Limits limits,
      int workspaces,
      boolean atOnce,
      IntConsumer onStarted) {
    this.processors = processors;
    this.costs = costs;
    this.limits = limits;
    this.atOnce = atOnce;
    this.allowance = new Allowance(limits.maxClaimed(), () -> (long) (processors.now() * 1e9));
    this.onStarted = onStarted;
    for (int i = 0; i < workspaces; i++) {
      lanes.add(new ArrayDeque<>());
    }
  }

  boolean isEmpty() {
    return claimed == 0;
  }

  boolean hasPlenty() {
    return isHalfFull(allowance.most());
  }

  private boolean isHalfFull(int most) {
    return claimed > most / 2;
  }

  int room() {
    return room(allowance.most());
  }

  int roomToEnter() {
    return room(allowance.mostOutOfTurn());
  }

  private int room(int most) {
    return isHalfFull(most) ? 0 : most - claimed;
  }

  int roomFor(int workspace) {
    return Math.max(0, limits.maxClaimedPerWorkspace() - lanes.get(workspace).size());
  }

  int roomToClaim(int workspace) {
    return allowance.roomFor(limits.maxClaimedPerWorkspace(), lanes.get(workspace).size());
  }

  /** Goes on with {@code then} when these are handed in, or, at once, when they are started. */
  void submit(List<Integer> items, Runnable then) {
    claimed += items.size();
    if (atOnce) {
      answer(new ArrayDeque<>(items), then);
      return;
    }
    for (int item : items) {
      Deque<Integer> lane = lanes.get(workspaceOf(item));
      lane.addLast(item);
      if (lane.size() == 1) {
        ready.addLast(workspaceOf(item));
      }
    }
    pump();
    then.run();
  }

  int workspaceOf(int item) {
    return item % lanes.size();
  }

  private void answer(Deque<Integer> items, Runnable then) {
    Integer item = items.pollFirst();
    if (item == null) {
      then.run();
      return;
    }
    processors.run(
        costs.answeredAtOnce(),
        () -> {
          claimed--;
          allowance.started();
          onStarted.accept(item);
          answer(items, then);
        });
  }

  private void pump() {
    while (underWay < limits.concurrency() && !ready.isEmpty()) {
      int workspace = ready.removeFirst();
      underWay++;
      sent.addLast(workspace);
    }
    serve();
  }

  private void serve() {
    while (served < costs.start().servedAtATime() && !sent.isEmpty()) {
      int workspace = sent.removeFirst();
      served++;
      Work work = costs.start().among(underWay);
      processors.run(
          new Work(work.cpu(), 0, work.aside()),
          () -> {
            processors.after(costs.start().rest(work), this::leave);
            processors.after(work.idle(), () -> resolved(workspace));
          });
    }
  }

  private void leave() {
    served--;
    serve();
  }

  private void resolved(int workspace) {
    underWay--;
    claimed--;
    allowance.started();
    Deque<Integer> lane = lanes.get(workspace);
    int item = lane.removeFirst();
    if (!lane.isEmpty()) {
      ready.addLast(workspace);
    }
    onStarted.accept(item);
    pump();
  }
}
