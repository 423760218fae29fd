package dev.sluice.bench.model;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code Pipeline}, {@code PipelineLoop} and {@code Admission} as far as they decide how batches
 * form: one thread that claims and hands on, and looks again; another writes back.
 */
final class SimulatedPipeline {
  private final Processors processors;
  private final Costs costs;
  private final Limits limits;
  private final SimulatedStarts starts;
  private final List<Deque<Integer>> pending = new ArrayList<>();
  private final LinkedHashSet<Integer> line = new LinkedHashSet<>();
  private final Set<Integer> held = new HashSet<>();
  private final SimulatedSettling settling;
  private final double[] startedAt;
  private int startedSoFar;
  private boolean hasNews;
  private boolean idle = true;
  private final Gathering gathering;

  private int aboutToEnter;

  private record Ask(int workspace, int allowed) {}

  SimulatedPipeline(
      Processors processors,
      Costs costs,
      Limits limits,
      int workspaces,
      int items,
      boolean atOnce) {
    this.processors = processors;
    this.costs = costs;
    this.limits = limits;
    this.starts = new SimulatedStarts(processors, costs, limits, workspaces, atOnce, this::started);
    this.gathering = new Gathering(processors, this::runOnce);
    this.settling = new SimulatedSettling(processors, costs, limits, starts);
    this.startedAt = new double[items];
    Arrays.fill(startedAt, Double.NaN);
    for (int i = 0; i < workspaces; i++) {
      pending.add(new ArrayDeque<>());
    }
  }

  /** {@code Entrance}: those of a batch whose workspace has room for all of its own. */
  List<Integer> mayEnter(List<Integer> batch) {
    if (!limits.entrance()) {
      return List.of();
    }
    Map<Integer, List<Integer>> coming =
        batch.stream().collect(groupingBy(starts::workspaceOf, LinkedHashMap::new, toList()));
    var entering = new ArrayList<Integer>();
    int room = starts.roomToEnter() - line.size() - aboutToEnter;
    for (var each : coming.entrySet()) {
      int count = each.getValue().size();
      if (count <= Math.min(room, starts.roomFor(each.getKey()))
          && pending.get(each.getKey()).isEmpty()) {
        entering.addAll(each.getValue());
        room -= count;
      }
    }
    aboutToEnter += entering.size();
    return entering;
  }

  void entered(List<Integer> items, Runnable then) {
    aboutToEnter -= items.size();
    starts.submit(items, then);
  }

  void stored(List<Integer> items) {
    if (items.isEmpty()) {
      return;
    }
    for (int item : items) {
      int workspace = starts.workspaceOf(item);
      pending.get(workspace).addLast(item);
      line.add(workspace);
    }
    wakeUp();
  }

  boolean isDone() {
    return startedSoFar == startedAt.length;
  }

  double[] startedAt() {
    return startedAt.clone();
  }

  private void started(int item) {
    startedAt[item] = processors.now();
    startedSoFar++;
    settling.add(item);
    int workspace = starts.workspaceOf(item);
    if (starts.roomToClaim(workspace) > 0 && held.remove(workspace)) {
      line.add(workspace);
    }
    wakeUp();
    if (!starts.hasPlenty()) {
      gathering.endNow();
    }
  }

  private void wakeUp() {
    hasNews = true;
    if (idle) {
      idle = false;
      hasNews = false;
      processors.after(0, this::gather);
    }
  }

  private void runOnce() {
    List<Ask> asks = next();
    if (asks.isEmpty()) {
      afterwards(false);
      return;
    }
    var claims = new ArrayList<Integer>();
    var more = new ArrayList<Integer>();
    for (Ask ask : asks) {
      List<Integer> got = SimulatedIntake.take(pending.get(ask.workspace()), ask.allowed());
      claims.addAll(got);
      if (got.size() == ask.allowed()) {
        more.add(ask.workspace());
      }
    }
    processors.run(
        costs.claim().of(claims.size(), asks.size()),
        () -> {
          line.addAll(more);
          starts.submit(claims, () -> afterwards(!claims.isEmpty()));
        });
  }

  private List<Ask> next() {
    int room = starts.room();
    int most = Math.min(Math.min(limits.workspacesPerClaim(), room), line.size());
    var asks = new ArrayList<Ask>(most);
    for (int i = 0; i < most; i++) {
      int workspace = line.removeFirst();
      int allowed = Math.min(Math.max(1, room / most), starts.roomToClaim(workspace));
      if (allowed > 0) {
        asks.add(new Ask(workspace, allowed));
      } else {
        held.add(workspace);
      }
    }
    return asks;
  }

  private void afterwards(boolean didSomething) {
    if (didSomething || hasNews) {
      hasNews = hasNews && didSomething;
      gather();
    } else {
      idle = true;
    }
  }

  /** Returns when there is room for claims, or after a while. */
  private void gather() {
    if (starts.hasPlenty()) {
      gathering.begin(limits.gather());
    } else {
      processors.after(0, this::runOnce);
    }
  }
}
