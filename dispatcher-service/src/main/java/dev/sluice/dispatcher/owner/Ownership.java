package dev.sluice.dispatcher.owner;

import dev.sluice.contracts.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Which workspaces are ours: those whose home partition of the signals topic is assigned to us. */
public final class Ownership {
  private final UUID instance = UUID.randomUUID();
  private final int partitions;
  private volatile Map<Integer, Integer> terms = Map.of();
  private volatile Map<Integer, Integer> takenOver = Map.of();
  private int lastTerm;

  public Ownership(int partitions) {
    this.partitions = partitions;
  }

  /** This dispatcher, for as long as it runs. */
  public UUID instance() {
    return instance;
  }

  public boolean owns(String workspaceId) {
    return terms.containsKey(homeOf(workspaceId));
  }

  /**
   * True once the claims that the last owner left behind, which may have been ourselves, are taken
   * over: before that a later request could start before an earlier one.
   */
  public boolean mayAdmit(String workspaceId) {
    int home = homeOf(workspaceId);
    Integer term = terms.get(home);
    return term != null && term.equals(takenOver.get(home));
  }

  public int homeOf(String workspaceId) {
    return Topics.homePartition(workspaceId, partitions);
  }

  public Set<Integer> assigned() {
    return terms.keySet();
  }

  /**
   * The partitions that wait for a takeover, with the number of the term it is for: one that is
   * lost and regained has a new one, and so has one that was put in doubt.
   */
  public synchronized Map<Integer, Integer> toTakeOver() {
    var all = new HashMap<>(terms);
    all.entrySet().removeAll(takenOver.entrySet());
    return Map.copyOf(all);
  }

  public synchronized void gained(Collection<Integer> more) {
    var all = new HashMap<>(terms);
    more.forEach(partition -> all.put(partition, ++lastTerm));
    terms = Map.copyOf(all);
  }

  /**
   * We may have claims in these workspaces that we never heard of: a write of ours got no answer.
   * Until they are looked for, nothing more is admitted there.
   */
  public synchronized void doubt(Collection<String> workspaceIds) {
    var homes = new HashSet<Integer>();
    workspaceIds.forEach(workspace -> homes.add(homeOf(workspace)));
    homes.retainAll(terms.keySet());
    gained(homes);
  }

  public synchronized void lost(Collection<Integer> fewer) {
    var all = new HashMap<>(terms);
    fewer.forEach(all::remove);
    terms = Map.copyOf(all);
  }

  /** Of these terms, when they began, everything is taken over by now. */
  public synchronized void takenOver(Map<Integer, Integer> theseTerms) {
    var all = new HashMap<>(takenOver);
    all.putAll(theseTerms);
    takenOver = Map.copyOf(all);
  }
}
