package dev.sluice.ingest.bulk;

import dev.sluice.contracts.ItemState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Finds what a filter means. What can be cancelled is looked for state by state and gate by gate,
 * because each of these has a partial index: the few that are open are found among millions that
 * are not.
 */
@Repository
class BulkRepository {
  /** A filter that matches little of much may take long; somebody else needs the database too. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String QUEUED =
      "select q.id, q.seq from workflow_execution_queue q where q.workspace_id = :workspace and ";

  private static final List<String> PENDING =
      List.of(
          QUEUED + "q.state = 'PENDING' and q.gate = 'ready'",
          QUEUED + "q.state = 'PENDING' and q.gate = 'delayed'",
          QUEUED + "q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'partition'",
          QUEUED + "q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'definition'",
          QUEUED + "q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'limit'",
          QUEUED + "q.state = 'PENDING' and q.gate = 'parked' and q.parked_on = 'paused'");

  private static final String CLAIMED = QUEUED + "q.state = 'CLAIMED'";

  private static final String RUNNING =
      """
      select q.id, q.seq from workflow_execution e join workflow_execution_queue q on q.id = e.id
       where e.workspace_id = :workspace and e.status = 'RUNNING' and q.state = 'DISPATCHED'
      """;

  private static final String FAILED = QUEUED + "q.state = 'FAILED'";

  private static final String CLOSED =
      """
      select q.id, q.seq from workflow_execution_queue q join workflow_execution e on e.id = q.id
       where q.workspace_id = :workspace and q.dispatched_at is not null and e.status <> 'RUNNING'
      """;

  private final JdbcClient jdbc;

  BulkRepository(DataSource database) {
    var template = new JdbcTemplate(database);
    template.setQueryTimeout((int) PATIENCE.toSeconds());
    this.jdbc = JdbcClient.create(template);
  }

  /** Newest first: what waits is taken back before what runs makes room for it. */
  List<Match> cancellable(BulkFilter filter, int most) {
    return matches(openStates(filter), filter, "q.seq < :after", "desc", most);
  }

  long countCancellable(BulkFilter filter) {
    return count(openStates(filter), filter, "q.seq < :after");
  }

  /** Oldest first: in the order they were asked for. */
  List<Match> retryable(BulkFilter filter, int most) {
    return matches(endedStates(filter), filter, "q.seq > :after", "asc", most);
  }

  long countRetryable(BulkFilter filter) {
    return count(endedStates(filter), filter, "q.seq > :after");
  }

  private static List<String> openStates(BulkFilter filter) {
    var states = new ArrayList<String>();
    if (filter.status().isEmpty() || filter.status().get() == ItemState.PENDING) {
      states.addAll(PENDING);
    }
    if (filter.status().isEmpty() || filter.status().get() == ItemState.CLAIMED) {
      states.add(CLAIMED);
    }
    if (filter.status().isEmpty() || filter.status().get() == ItemState.DISPATCHED) {
      states.add(RUNNING);
    }
    return states;
  }

  private static List<String> endedStates(BulkFilter filter) {
    return List.of(filter.status().equals(Optional.of(ItemState.DISPATCHED)) ? CLOSED : FAILED);
  }

  private List<Match> matches(
      List<String> states, BulkFilter filter, String after, String direction, int most) {
    return jdbc.sql(union(states, filter, after) + " order by seq " + direction + " limit " + most)
        .params(params(filter))
        .query((rs, n) -> new Match(rs.getObject("id", UUID.class), rs.getLong("seq")))
        .list();
  }

  private long count(List<String> states, BulkFilter filter, String after) {
    return jdbc.sql("select count(*) from (" + union(states, filter, after) + ") matching")
        .params(params(filter))
        .query(Long.class)
        .single();
  }

  private static String union(List<String> states, BulkFilter filter, String after) {
    String conditions = conditions(filter, after);
    return String.join(" union all ", states.stream().map(state -> state + conditions).toList());
  }

  private static String conditions(BulkFilter filter, String after) {
    var sql = new StringBuilder();
    filter.definitionId().ifPresent(d -> sql.append(" and q.definition_id = :definition"));
    filter.partitionKey().ifPresent(k -> sql.append(" and q.partition_key = :key"));
    filter.acceptedBefore().ifPresent(t -> sql.append(" and q.accepted_at < :before"));
    filter.acceptedAfter().ifPresent(t -> sql.append(" and q.accepted_at > :since"));
    filter.after().ifPresent(s -> sql.append(" and ").append(after));
    return sql.toString();
  }

  private static Map<String, Object> params(BulkFilter filter) {
    var params = new HashMap<String, Object>();
    params.put("workspace", filter.workspaceId());
    filter.definitionId().ifPresent(d -> params.put("definition", d));
    filter.partitionKey().ifPresent(k -> params.put("key", k));
    filter.acceptedBefore().map(BulkRepository::time).ifPresent(t -> params.put("before", t));
    filter.acceptedAfter().map(BulkRepository::time).ifPresent(t -> params.put("since", t));
    filter.after().ifPresent(s -> params.put("after", s));
    return params;
  }

  private static Object time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
