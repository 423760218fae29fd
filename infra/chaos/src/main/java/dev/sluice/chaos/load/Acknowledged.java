package dev.sluice.chaos.load;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What producers were told, independently of anything Sluice keeps. */
public final class Acknowledged {
  /** A request that was said to be accepted, when it was said first. */
  public record Request(UUID id, String workspaceId, Instant at) {}

  private final Map<UUID, Request> requests = new ConcurrentHashMap<>();
  private final Map<String, Integer> byWorkspace = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
  private final Collection<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger acknowledgements = new AtomicInteger();

  public void accepted(UUID id, String workspaceId) {
    acknowledgements.incrementAndGet();
    if (requests.putIfAbsent(id, new Request(id, workspaceId, Instant.now())) == null) {
      byWorkspace.merge(workspaceId, 1, Integer::sum);
    }
  }

  /** Anything that is not an acknowledgement, by its kind. */
  void answered(String kind) {
    answers.computeIfAbsent(kind, k -> new AtomicInteger()).incrementAndGet();
  }

  /** An answer that must never be given. */
  void wrong(String what) {
    wrong.add(what);
  }

  public Collection<Request> requests() {
    return requests.values();
  }

  /** Distinct requests. */
  public int size() {
    return requests.size();
  }

  int size(String workspaceId) {
    return byWorkspace.getOrDefault(workspaceId, 0);
  }

  /** Repetitions included. */
  public int acknowledgements() {
    return acknowledgements.get();
  }

  public Map<String, AtomicInteger> otherAnswers() {
    return Map.copyOf(answers);
  }

  public List<String> wrongAnswers() {
    return List.copyOf(wrong);
  }
}
