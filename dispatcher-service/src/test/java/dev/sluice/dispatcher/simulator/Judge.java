package dev.sluice.dispatcher.simulator;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.dispatcher.simulator.FakeTemporal.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Holds the history in Temporal against what was acknowledged to producers. Of the tables it
 * believes what a producer is shown: an item's state and attempts.
 */
final class Judge {
  private final Map<UUID, Item> items;
  private final JdbcTemplate jdbc;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Integer> limits = new HashMap<>();
  private final Map<String, Integer> allowed = new HashMap<>();
  private FakeTemporal temporal;

  record Row(UUID id, String state, int attempts, long seq, String status) {
    boolean holdsSlot() {
      return status.equals("RUNNING");
    }
  }

  Judge(Map<UUID, Item> items, JdbcTemplate jdbc) {
    this.items = items;
    this.jdbc = jdbc;
  }

  void watch(FakeTemporal temporal) {
    this.temporal = temporal;
  }

  List<String> violations() {
    return violations;
  }

  void violation(String what) {
    violations.add(what);
  }

  /** Lowering kills nothing: what holds a slot already may still start and run on. */
  void limit(String workspace, int limit) {
    limits.put(workspace, limit);
    allowed.merge(workspace, limit, Math::max);
  }

  int limitOf(String workspace) {
    return limits.get(workspace);
  }

  /** A lowered limit is in force once no more slots are held than it allows. */
  void tighten() {
    for (var entry : allowed.entrySet()) {
      int limit = limits.get(entry.getKey());
      if (entry.getValue() > limit) {
        Integer held =
            jdbc.queryForObject(
                "select count(*) from workflow_execution where workspace_id = ? and status ="
                    + " 'RUNNING'",
                Integer.class,
                entry.getKey());
        entry.setValue(Math.max(limit, Math.min(entry.getValue(), held)));
      }
    }
  }

  /** The instant at which a limit could be broken. */
  void started(Run run) {
    Item item = items.get(run.requestId);
    if (item == null || !run.workspaceId.equals(item.workspaceId)) {
      violation("I1: " + run.workflowId + " was started and nobody asked for it");
      return;
    }
    List<Run> open =
        temporal.open().stream().filter(r -> r.workspaceId.equals(run.workspaceId)).toList();
    int most = allowed.get(run.workspaceId);
    if (open.size() > most) {
      violation(
          "I2: %d open in %s, %d are allowed, after %s"
              .formatted(open.size(), run.workspaceId, most, item));
    }
    if (item.partitionKey != null
        && open.stream().filter(r -> item.partitionKey.equals(itemOf(r).partitionKey)).count()
            > 1) {
      violation("L4: two open with partition key " + item.partitionKey + ", after " + item);
    }
    if (item.definitionId.equals(World.NARROW)
        && open.stream().filter(r -> itemOf(r).definitionId.equals(World.NARROW)).count() > 1) {
      violation("I2: two open of a definition with limit 1, after " + item);
    }
  }

  private Item itemOf(Run run) {
    return items.get(run.requestId);
  }

  Map<UUID, Row> rows(Object workspaces) {
    return jdbc
        .query(
            "select q.id, q.state, q.attempts, q.seq, coalesce(e.status, '') as status"
                + " from workflow_execution_queue q left join workflow_execution e on e.id = q.id"
                + " where q.workspace_id = any(?)",
            (row, n) ->
                new Row(
                    row.getObject("id", UUID.class),
                    row.getString("state"),
                    row.getInt("attempts"),
                    row.getLong("seq"),
                    row.getString("status")),
            workspaces)
        .stream()
        .collect(Collectors.toMap(Row::id, row -> row));
  }

  /** Null when slots and open workflows agree and no free slot is kept from anybody. */
  @Nullable String unrest(Map<UUID, Row> rows) {
    Set<UUID> open = temporal.open().stream().map(run -> run.requestId).collect(Collectors.toSet());
    Set<UUID> held =
        rows.values().stream().filter(Row::holdsSlot).map(Row::id).collect(Collectors.toSet());
    if (!open.equals(held)) {
      var difference = new HashSet<>(open);
      difference.addAll(held);
      difference.removeIf(id -> open.contains(id) && held.contains(id));
      return "I3: slots held %d, workflows open %d, different: %s"
          .formatted(held.size(), open.size(), difference);
    }
    for (Item item : items.values()) {
      Row row = rows.get(item.id);
      if (row == null) {
        return "I1: " + item + " is lost";
      }
      if (row.state().equals("CLAIMED")) {
        return "I3: " + item + " is still CLAIMED";
      }
      if (row.state().equals("PENDING")
          && item.isPlain()
          && openIn(item.workspaceId) < limits.get(item.workspaceId)) {
        return "I3: " + item + " waits though a slot is free";
      }
    }
    return null;
  }

  private long openIn(String workspace) {
    return temporal.open().stream().filter(run -> run.workspaceId.equals(workspace)).count();
  }

  /** Everything has been delivered, closed and given time. */
  void verdict(Map<UUID, Row> rows, boolean orderly) {
    Map<UUID, List<Run>> runs =
        temporal.runs().stream().collect(Collectors.groupingBy(run -> run.requestId));
    for (Item item : items.values()) {
      Row row = rows.get(item.id);
      if (row == null) {
        violation("I1: " + item + " is lost");
      } else {
        judge(item, row, runs.getOrDefault(item.id, List.of()));
      }
    }
    if (rows.size() > items.size()) {
      violation("I1: %d rows for %d requests".formatted(rows.size(), items.size()));
    }
    if (orderly) {
      judgeOrder(rows, runs);
    }
  }

  private void judge(Item item, Row row, List<Run> runs) {
    switch (row.state()) {
      case "DISPATCHED" -> {
        if (runs.size() != 1) {
          violation("I1: %s is DISPATCHED and ran %d times".formatted(item, runs.size()));
        } else if (!runs.getFirst().workflowId.equals(ExecutionIds.workflowId(item.id))) {
          violation("I1: %s ran as %s".formatted(item, runs.getFirst().workflowId));
        }
        if (row.attempts() != item.refusals && !item.retriedByHand) {
          violation(
              "I6: %s was refused %d times and counts %d attempts"
                  .formatted(item, item.refusals, row.attempts()));
        }
      }
      case "FAILED" -> {
        notRun(item, row, runs);
        if (item.refusals < World.MAX_ATTEMPTS) {
          violation("I6: %s is FAILED, though Temporal would take it".formatted(item));
        }
      }
      case "CANCELLED" -> {
        notRun(item, row, runs);
        if (!item.cancelAsked) {
          violation("I1: nobody cancelled " + item);
        }
      }
      case "EXPIRED" -> {
        notRun(item, row, runs);
        if (!item.expires) {
          violation("I1: %s cannot expire".formatted(item));
        }
      }
      default -> violation("I1: %s is %s for ever".formatted(item, row.state()));
    }
  }

  private void notRun(Item item, Row row, List<Run> runs) {
    if (!runs.isEmpty()) {
      violation("I1: %s is %s and ran %d times".formatted(item, row.state(), runs.size()));
    }
  }

  /** Within a workspace and a priority, in the order of acceptance. */
  private void judgeOrder(Map<UUID, Row> rows, Map<UUID, List<Run>> runs) {
    Map<String, List<Item>> lines =
        items.values().stream()
            .filter(item -> item.isPlain() && runs.containsKey(item.id))
            .collect(Collectors.groupingBy(item -> item.workspaceId + "/" + item.priority));
    for (var line : lines.values()) {
      line.sort(Comparator.comparingLong(item -> rows.get(item.id).seq()));
      long before = 0;
      for (Item item : line) {
        long at = runs.get(item.id).getFirst().startedAt;
        if (at < before) {
          violation("I4: %s started before one that was accepted earlier".formatted(item));
        }
        before = Math.max(before, at);
      }
    }
  }
}
