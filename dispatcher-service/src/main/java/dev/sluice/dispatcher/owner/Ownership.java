package dev.sluice.dispatcher.owner;

import dev.sluice.contracts.Topics;
import java.util.Collection;
import java.util.HashMap;
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
   * The partitions with the number of this assignment: one that is lost and regained has a new one.
   */
  public Map<Integer, Integer> terms() {
    return terms;
  }

  public synchronized void gained(Collection<Integer> more) {
    var all = new HashMap<>(terms);
    more.forEach(partition -> all.put(partition, ++lastTerm));
    terms = Map.copyOf(all);
  }

  public synchronized void lost(Collection<Integer> fewer) {
    var all = new HashMap<>(terms);
    fewer.forEach(all::remove);
    terms = Map.copyOf(all);
  }

  /** Of these assignments, when they began, everything is taken over by now. */
  public synchronized void takenOver(Map<Integer, Integer> theseTerms) {
    var all = new HashMap<>(takenOver);
    all.putAll(theseTerms);
    takenOver = Map.copyOf(all);
  }
}
