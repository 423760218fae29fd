package dev.sluice.chaos.judge;

import dev.sluice.chaos.fault.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Times in which nothing was started anywhere. */
public final class Pauses {
  /** So long after a kill a start may still be one that the killed process had sent. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(2);

  private Pauses() {}

  /** A pause, and the fault it belongs to. */
  public record Pause(Instant from, Duration length, String during) {}

  /** The longest between two starts, up to so many. */
  public static List<Pause> longest(
      Collection<Run> runs, List<Fault> faults, Instant loadEnd, int most) {
    List<Instant> starts =
        runs.stream().map(Run::started).filter(at -> at.isBefore(loadEnd)).sorted().toList();
    var pauses = new ArrayList<Pause>();
    for (int i = 1; i < starts.size(); i++) {
      Instant from = starts.get(i - 1);
      Instant until = starts.get(i);
      pauses.add(new Pause(from, Duration.between(from, until), during(from, until, faults)));
    }
    return pauses.stream()
        .sorted(Comparator.comparing(Pause::length).reversed())
        .limit(most)
        .toList();
  }

  /**
   * From a kill of a dispatcher until the first start in a workspace that was its own; the slowest
   * of them. Counted are those that had something to start and, before the session timeout was
   * over, a free slot to start it in: a workspace whose workflows are all still running has to wait
   * for them and not for a dispatcher. Empty where there was none.
   */
  public static Optional<Duration> failover(
      Fault kill, Collection<Waiting> waiting, Map<String, Instant> free, Duration session) {
    Set<String> inNeed =
        waiting.stream()
            .filter(item -> kill.orphaned().contains(item.workspaceId()))
            .filter(item -> item.accepted().isBefore(kill.from().plus(UNDER_WAY)))
            .filter(item -> item.started().isAfter(kill.from().plus(UNDER_WAY)))
            .map(Waiting::workspaceId)
            .collect(Collectors.toSet());
    Map<String, Instant> firstStarts =
        waiting.stream()
            .filter(item -> inNeed.contains(item.workspaceId()))
            .filter(item -> item.started().isAfter(kill.from().plus(UNDER_WAY)))
            .collect(
                Collectors.toMap(
                    Waiting::workspaceId, Waiting::started, (a, b) -> a.isBefore(b) ? a : b));
    return firstStarts.entrySet().stream()
        .filter(
            first ->
                free.getOrDefault(first.getKey(), kill.from()).isBefore(kill.from().plus(session)))
        .map(first -> Duration.between(kill.from(), first.getValue()))
        .max(Comparator.naturalOrder());
  }

  /** A request that was accepted at one time and started at another. */
  public record Waiting(String workspaceId, Instant accepted, Instant started) {}

  private static String during(Instant from, Instant until, List<Fault> faults) {
    return faults.stream()
        .filter(fault -> fault.from().isBefore(until) && fault.until().isAfter(from))
        .map(fault -> fault.kind().what())
        .findFirst()
        .orElse("no fault");
  }
}
