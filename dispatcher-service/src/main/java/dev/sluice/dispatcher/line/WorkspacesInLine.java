package dev.sluice.dispatcher.line;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The workspaces that may have something to start, each at most once. While there is enough for
 * all, they are served as they come; where starts are scarce, each gets its share by weight, and
 * none is ever passed by for ever: who was served moves back by what it got, divided by its weight.
 */
public final class WorkspacesInLine {
  /** Shares that are worth remembering; those that have been caught up with are forgotten. */
  private static final int MOST_SHARES = 10_000;

  private final Map<String, Place> inLine = new HashMap<>();
  private final TreeSet<Place> order = new TreeSet<>();
  private final Set<String> held = new HashSet<>();
  private final Map<String, Share> shares = new HashMap<>();
  private final Map<String, Double> keptPlaces = new HashMap<>();
  private double served;
  private long arrivals;

  /**
   * A workspace to look at.
   *
   * @param weight as far as is known: 1 for one that was not served for a while
   * @param share what it got so far, which was the least of all
   */
  public record Next(String workspaceId, int lookAhead, int weight, double share) {}

  /** What it got so far, by its weight. */
  private record Share(double got, int weight) {}

  /** By share, then by arrival. */
  private record Place(double share, long arrival, String workspaceId, int lookAhead)
      implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byShare = Double.compare(share, other.share);
      return byShare != 0 ? byShare : Long.compare(arrival, other.arrival);
    }
  }

  public synchronized void add(String workspaceId, int lookAhead) {
    Place known = inLine.get(workspaceId);
    if (known != null && known.lookAhead >= lookAhead) {
      return;
    }
    if (known != null) {
      order.remove(known);
    }
    var place =
        known == null
            ? new Place(place(workspaceId), arrivals++, workspaceId, lookAhead)
            : new Place(known.share, known.arrival, workspaceId, lookAhead);
    inLine.put(workspaceId, place);
    order.add(place);
  }

  /** It could not use its turn: when it comes back, it comes with the share it had. */
  public synchronized void keepPlace(Next turn) {
    keptPlaces.put(turn.workspaceId, turn.share);
  }

  /** It got so many starts: others come first until they got as much, each by its weight. */
  public synchronized void served(String workspaceId, int starts, int weight) {
    shares.put(workspaceId, new Share(share(workspaceId) + (double) starts / weight, weight));
    if (shares.size() > MOST_SHARES) {
      shares.values().removeIf(share -> share.got <= served);
    }
  }

  /** Has more to start than may be under way for it: comes back in line with {@link #release}. */
  public synchronized void hold(String workspaceId) {
    held.add(workspaceId);
  }

  public synchronized void release(String workspaceId) {
    if (held.remove(workspaceId)) {
      add(workspaceId, 0);
    }
  }

  public synchronized List<Next> take(int most) {
    var taken = new ArrayList<Next>(Math.min(most, inLine.size()));
    while (taken.size() < most && !order.isEmpty()) {
      Place first = order.pollFirst();
      inLine.remove(first.workspaceId);
      if (taken.isEmpty()) {
        // Only by the first: who is taken with it may get nothing, and must not lose by that.
        served = Math.max(served, first.share);
      }
      Share share = shares.get(first.workspaceId);
      int weight = share == null ? 1 : share.weight;
      taken.add(new Next(first.workspaceId, first.lookAhead, weight, first.share));
    }
    return taken;
  }

  public synchronized int size() {
    return inLine.size();
  }

  public synchronized boolean isEmpty() {
    return inLine.isEmpty();
  }

  public synchronized void forget(Predicate<String> workspaces) {
    order.removeIf(place -> workspaces.test(place.workspaceId));
    inLine.keySet().removeIf(workspaces);
    held.removeIf(workspaces);
    shares.keySet().removeIf(workspaces);
    keptPlaces.keySet().removeIf(workspaces);
  }

  private double place(String workspaceId) {
    Double kept = keptPlaces.remove(workspaceId);
    return kept == null ? share(workspaceId) : kept;
  }

  /** Who was away gets no credit for it. */
  private double share(String workspaceId) {
    Share share = shares.get(workspaceId);
    return share == null ? served : Math.max(served, share.got);
  }
}
