package dev.sluice.dispatcher.ledger;

import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Requests with nothing to them but their place in line become rows that wait; what {@link
 * IntakeLedger} does for any, at half the cost.
 */
public final class PlainLedger {
  /** Whose definition is not there is not stored: why is for the large statement to say. */
  private static final String STORE =
      """
      insert into workflow_execution_queue as q
        (id, workspace_id, definition_id, definition_version, priority, input, idempotency_key, deadline_ms, parent_id,
         traceparent, state)
      select a.id, a.workspace_id, a.definition_id, v.version, a.priority, a.input, a.idempotency_key, a.deadline_ms, a.parent_id,
             a.traceparent, 'PENDING'
        from unnest(?::uuid[], ?::text[], ?::text[], ?::smallint[], ?::json[], ?::text[], ?::bigint[], ?::text[], ?::text[])
               with ordinality
          as a(id, workspace_id, definition_id, priority, input, idempotency_key, deadline_ms, parent_id, traceparent, n)
        join workflow_definition d on d.workspace_id = a.workspace_id and d.id = a.definition_id
        join workflow_definition_version v
          on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
       order by a.n
      on conflict (id) do nothing
      returning q.id, q.workspace_id, q.definition_id,
                tell_change(q.id, 1, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0, q.traceparent)
      """;

  private final JdbcTemplate jdbc;

  PlainLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * How many came for each workspace, where all of them are plain. A workspace's requests go one
   * way together, or they would not be rows in the order in which they came.
   */
  public static Map<String, Integer> plain(List<NewItem> items, Set<UUID> overCap) {
    var count = new LinkedHashMap<String, Integer>();
    for (NewItem item : items) {
      count.merge(item.request().workspaceId(), 1, Integer::sum);
    }
    for (NewItem item : items) {
      if (!item.isPlain() || overCap.contains(item.id())) {
        count.remove(item.request().workspaceId());
      }
    }
    return count;
  }

  /** Answers those that are rows now, and were not before. */
  List<Accepted> store(List<NewItem> items) {
    return jdbc.query(
        STORE,
        (row, n) ->
            Accepted.waiting(
                row.getObject("id", UUID.class),
                row.getString("workspace_id"),
                row.getString("definition_id")),
        columns(items));
  }

  /**
   * What there is to a plain request, in the order in which each statement for such ones takes it,
   * and what else that statement wants.
   */
  static Object[] columns(List<NewItem> items, Object... more) {
    Object[] plain = {
      Columns.of(items, NewItem::id),
      Columns.of(items, i -> i.request().workspaceId()),
      Columns.of(items, i -> i.request().definitionId()),
      Columns.of(items, i -> i.request().priority()),
      Columns.of(items, i -> i.request().input()),
      Columns.of(items, i -> i.request().idempotencyKey()),
      Columns.of(items, i -> IntakeLedger.millis(i.request().deadline())),
      Columns.of(items, i -> i.request().parentId()),
      Columns.of(items, NewItem::traceparent)
    };
    return Stream.concat(Stream.of(plain), Stream.of(more)).toArray();
  }
}
