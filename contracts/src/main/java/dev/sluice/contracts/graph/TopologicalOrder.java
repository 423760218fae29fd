package dev.sluice.contracts.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Ids sorted so that each stands after those it waits for, or the cycle that makes it impossible.
 */
sealed interface TopologicalOrder {
  record Sorted(List<String> ids) implements TopologicalOrder {}

  /** The ids on it, each waited for by the next, the last by the first. */
  record Cycle(List<String> ids) implements TopologicalOrder {
    static String describe(List<String> ids) {
      return String.join(" → ", ids) + " → " + ids.getFirst();
    }
  }

  /**
   * Of the ids that wait for nothing more, the one that stands first is always taken next, so the
   * same graph has the same order everywhere.
   */
  static TopologicalOrder of(List<String> ids, List<Graph.Edge> edges) {
    var place = new HashMap<String, Integer>();
    ids.forEach(id -> place.put(id, place.size()));
    var waitsFor = new HashMap<String, List<String>>();
    var waitedForBy = new HashMap<String, List<String>>();
    for (var edge : edges) {
      waitsFor.computeIfAbsent(edge.to(), id -> new ArrayList<>()).add(edge.from());
      waitedForBy.computeIfAbsent(edge.from(), id -> new ArrayList<>()).add(edge.to());
    }
    var open = new HashMap<String, Integer>();
    ids.forEach(id -> open.put(id, waitsFor.getOrDefault(id, List.of()).size()));
    var free = new PriorityQueue<Integer>();
    ids.stream().filter(id -> open.getOrDefault(id, 0) == 0).map(place::get).forEach(free::add);

    var sorted = new LinkedHashSet<String>();
    for (Integer next = free.poll(); next != null; next = free.poll()) {
      String id = ids.get(next);
      sorted.add(id);
      for (String successor : waitedForBy.getOrDefault(id, List.of())) {
        if (open.merge(successor, -1, Integer::sum) == 0) {
          free.add(place.getOrDefault(successor, 0));
        }
      }
    }
    return sorted.size() == ids.size()
        ? new Sorted(List.copyOf(sorted))
        : cycle(ids.stream().filter(id -> !sorted.contains(id)).toList(), waitsFor);
  }

  /** Every id left over waits for another one left over, so walking back must meet itself. */
  private static Cycle cycle(List<String> left, Map<String, List<String>> waitsFor) {
    var walk = new ArrayList<String>();
    String at = left.getFirst();
    while (!walk.contains(at)) {
      walk.add(at);
      at =
          waitsFor.getOrDefault(at, List.of()).stream()
              .filter(left::contains)
              .findFirst()
              .orElseThrow();
    }
    return new Cycle(List.copyOf(walk.subList(walk.indexOf(at), walk.size()).reversed()));
  }
}
