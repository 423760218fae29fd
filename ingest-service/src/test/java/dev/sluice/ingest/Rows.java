package dev.sluice.ingest;

import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.servers.TestStack;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stands in for the dispatcher: writes the rows it would write, and commits what it would read. */
final class Rows {
  private final JdbcClient jdbc;

  Rows(Ingest ingest) {
    jdbc = ingest.jdbc();
  }

  UUID pending(String workspace) {
    return pending(workspace, ExecutionIds.mint(), "");
  }

  /**
   * @param more further columns, as {@code column = value, …}
   */
  UUID pending(String workspace, UUID id, String more) {
    jdbc.sql(
            """
            insert into workflow_execution_queue
              (id, workspace_id, definition_id, definition_version, state, priority, input)
            values (:id, :workspace, 'report', 1, 'PENDING', 5, '{"secret":1}')
            """)
        .param("id", id)
        .param("workspace", workspace)
        .update();
    if (!more.isEmpty()) {
      jdbc.sql("update workflow_execution_queue set " + more + " where id = :id")
          .param("id", id)
          .update();
    }
    return id;
  }

  UUID running(String workspace) {
    UUID id = pending(workspace);
    dispatch(id);
    return id;
  }

  UUID claimed(String workspace) {
    UUID id = pending(workspace);
    claim(id);
    return id;
  }

  void claim(UUID id) {
    jdbc.sql(
            """
            update workflow_execution_queue
               set state = 'CLAIMED', claim_token = gen_random_uuid(), claimed_at = now()
             where id = :id
            """)
        .param("id", id)
        .update();
    jdbc.sql(
            """
            insert into workflow_execution
              (id, workspace_id, definition_id, definition_version, partition_key, limit_keys)
            select id, workspace_id, definition_id, definition_version, partition_key, limit_keys
              from workflow_execution_queue where id = :id
            """)
        .param("id", id)
        .update();
  }

  void dispatch(UUID id) {
    claim(id);
    jdbc.sql(
            """
            update workflow_execution_queue
               set state = 'DISPATCHED', claim_token = null, dispatched_at = now(), run_id = 'run-1'
             where id = :id
            """)
        .param("id", id)
        .update();
  }

  void close(UUID id, String status, String result) {
    jdbc.sql(
            """
            update workflow_execution set status = :status, result = :result::json, closed_at = now()
             where id = :id
            """)
        .param("id", id)
        .param("status", status)
        .param("result", result)
        .update();
  }

  /** One that ran for so long and is closed. */
  UUID ran(String workspace, int seconds) {
    UUID id = running(workspace);
    jdbc.sql(
            """
            update workflow_execution
               set status = 'COMPLETED', closed_at = now(), started_at = now() - make_interval(secs => :seconds)
             where id = :id
            """)
        .param("id", id)
        .param("seconds", seconds)
        .update();
    return id;
  }

  void fail(UUID id) {
    jdbc.sql(
            """
            update workflow_execution_queue
               set state = 'FAILED', failure_code = 'START_REJECTED', failure_message = 'no', ended_at = now()
             where id = :id
            """)
        .param("id", id)
        .update();
  }

  /** As if the dispatchers had read everything there is. */
  static void everythingIsRead() throws Exception {
    try (var admin =
        Admin.create(Map.of("bootstrap.servers", TestStack.shared().kafka().bootstrapServers()))) {
      var wanted = new HashMap<TopicPartition, OffsetSpec>();
      for (String topic : new String[] {Topics.REQUESTS, Topics.SIGNALS}) {
        for (int p = 0; p < 12; p++) {
          wanted.put(new TopicPartition(topic, p), OffsetSpec.latest());
        }
      }
      var read = new HashMap<TopicPartition, OffsetAndMetadata>();
      admin
          .listOffsets(wanted)
          .all()
          .get()
          .forEach((p, end) -> read.put(p, new OffsetAndMetadata(end.offset())));
      admin.alterConsumerGroupOffsets(Topics.DISPATCHER_GROUP, read).all().get();
    }
  }
}
