package dev.sluice.recovery.relay;

import dev.sluice.contracts.Json;
import dev.sluice.recovery.relay.EventPublisher.Answer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells again, from the tables, what the stream may have missed. The events have the ids they had
 * or would have had, so that a consumer who has them already drops them, and say {@code "replay":
 * true}.
 */
final class Replay {
  private static final Logger log = LoggerFactory.getLogger(Replay.class);
  private static final int ROWS_AT_A_TIME = 1_000;

  private static final String CHANGED_SINCE =
      """
      select q.id, q.workspace_id, q.traceparent, e.event_id, e.kind, e.at,
             lifecycle_event(q.id, q.workspace_id, q.definition_id, e.status, e.at, q.attempts, e.more_name, e.more)::text as data
        from workflow_execution_queue q
        left join workflow_execution x on x.id = q.id
       cross join lateral (values
         (1, q.id || ':1', 'pending', 'PENDING', q.accepted_at, null, null::json,
          q.revision > 1 or q.state = 'PENDING'),
         (2, q.id || ':' || q.revision, 'pending', 'PENDING', greatest(q.accepted_at, q.claimed_at), null, null,
          q.revision > 1 and q.state = 'PENDING'),
         (3, q.id || ':' || case when q.state = 'CLAIMED' then q.revision else q.revision - 1 end,
          'claimed', 'CLAIMED', q.claimed_at, null, null,
          q.state in ('CLAIMED', 'DISPATCHED') or q.failure_code in ('START_REJECTED', 'PAYLOAD_TOO_LARGE')),
         (4, q.id || ':' || q.revision, 'dispatched', 'DISPATCHED', q.dispatched_at, 'workflow',
          json_strip_nulls(json_build_object('workflowId', 'execution-' || q.id, 'runId', q.run_id, 'status', 'RUNNING')),
          q.state = 'DISPATCHED'),
         (4, q.id || ':' || q.revision, lower(q.state), q.state, q.ended_at,
          case when q.state = 'FAILED' then 'failure' end,
          case when q.state = 'FAILED' then json_build_object('code', q.failure_code, 'message', q.failure_message) end,
          q.state in ('FAILED', 'CANCELLED', 'EXPIRED')),
         (5, q.id || ':closed', 'closed', 'DISPATCHED', x.closed_at, 'workflow',
          json_strip_nulls(json_build_object('workflowId', 'execution-' || q.id, 'runId', coalesce(x.run_id, q.run_id),
                                             'status', x.status, 'result', x.result, 'error', x.error)),
          x.closed_at is not null)
       ) as e (step, event_id, kind, status, at, more_name, more, happened)
       where greatest(q.accepted_at, q.claimed_at, q.dispatched_at, q.ended_at, x.closed_at) >= ?
         and e.happened and e.at is not null and (e.at >= ? or (e.step = 2))
       order by q.seq, e.step
      """;

  private final JdbcTemplate database;
  private final TransactionTemplate snapshot;
  private final RelayMetrics metrics;

  Replay(JdbcTemplate database, TransactionTemplate snapshot, RelayMetrics metrics) {
    this.database = database;
    this.snapshot = snapshot;
    this.metrics = metrics;
  }

  /** Returns how many events were told; all of them are acknowledged. */
  int run(Instant since, EventPublisher publisher) {
    var told = snapshot.execute(transaction -> tell(since, publisher));
    return told == null ? 0 : told;
  }

  private int tell(Instant since, EventPublisher publisher) {
    var from = RelayLedger.utc(since);
    var window = new Window(publisher);
    database.query(
        connection -> {
          var statement =
              connection.prepareStatement(
                  CHANGED_SINCE, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
          // Rows come in portions, so that the size of the table is not the size of our memory.
          statement.setFetchSize(ROWS_AT_A_TIME);
          statement.setObject(1, from);
          statement.setObject(2, from);
          return statement;
        },
        row -> {
          window.add(event(row));
        });
    window.settle();
    metrics.replayed(window.told);
    return window.told;
  }

  private static OutboxEvent event(ResultSet row) throws SQLException {
    var data = (ObjectNode) Json.MAPPER.readTree(row.getString("data"));
    data.put("replay", true);
    return new OutboxEvent(
        row.getString("event_id"),
        row.getObject("id", UUID.class),
        row.getString("workspace_id"),
        row.getString("kind"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        traceparent(row),
        Json.MAPPER.writeValueAsBytes(data));
  }

  private static @Nullable String traceparent(ResultSet row) throws SQLException {
    return row.getString("traceparent");
  }

  /** A bounded number of events on their way to the broker. */
  private static final class Window {
    private final EventPublisher publisher;
    private final List<Future<RecordMetadata>> inFlight = new ArrayList<>(ROWS_AT_A_TIME);
    private int told;

    Window(EventPublisher publisher) {
      this.publisher = publisher;
    }

    void add(OutboxEvent event) {
      try {
        inFlight.add(publisher.send(event.toRecord()));
      } catch (InterruptedException e) {
        throw stopped(e);
      }
      if (inFlight.size() == ROWS_AT_A_TIME) {
        settle();
      }
    }

    void settle() {
      try {
        for (var sent : inFlight) {
          count(publisher.await(sent));
        }
      } catch (InterruptedException e) {
        throw stopped(e);
      }
      inFlight.clear();
    }

    private void count(Answer answer) {
      switch (answer) {
        case Answer.Acknowledged() -> told++;
        case Answer.Refused(String detail) ->
            log.atError()
                .addKeyValue("alarm", "replay-refused")
                .addKeyValue("detail", detail)
                .log("the broker refuses a replayed event");
      }
    }

    private static IllegalStateException stopped(InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException("the replay was stopped, it will be done again", e);
    }
  }
}
