package dev.sluice.dispatcher.ledger;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What became of a claim is written back. Every write names the claim's token: for a dispatcher
 * that was frozen and lost its claims meanwhile, the rows affected are none.
 */
public final class SettleLedger {
  /** Its text is in the schema (V111): only a function can say how it is to be planned. */
  private static final String DISPATCHED =
      "select * from settle_started(?::uuid[], ?::uuid[], ?::text[])";

  /** Needs the workspace's lock: the slot goes with the execution row. */
  private static final String RELEASED =
      """
      with released as (
        update workflow_execution_queue q
           set state = case when s.code is null then 'PENDING' else 'FAILED' end,
               gate = case when s.code is null and s.delay_ms > 0 then 'delayed' else 'ready' end,
               ready_at = case when s.code is null and s.delay_ms > 0
                               then statement_timestamp() + s.delay_ms * interval '1 millisecond' else q.ready_at end,
               attempts = q.attempts + s.attempt, claim_token = null, claim_owner = null,
               failure_code = s.code, failure_message = s.message,
               ended_at = case when s.code is not null then statement_timestamp() end,
               revision = q.revision + 1
          from unnest(?::uuid[], ?::uuid[], ?::int[], ?::bigint[], ?::text[], ?::text[])
            as s(id, token, attempt, delay_ms, code, message)
         where q.id = s.id and q.state = 'CLAIMED' and q.claim_token = s.token
        returning q.*
      ), freed as (
        delete from workflow_execution e
         where e.id = any(array(select id from released)) and case when e.status = 'RUNNING' then true else false end
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, lower(q.state), statement_timestamp(), q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, q.state, statement_timestamp(), q.attempts,
                 'failure', case when q.state = 'FAILED'
                                 then json_build_object('code', q.failure_code, 'message', q.failure_message) end)
          from released q
      )
      select id, workspace_id, definition_id, partition_key, limit_keys from released
      """;

  /**
   * Still ours? Also renews the lease, so that nobody takes an item over that only waits for
   * Temporal.
   */
  private static final String CONFIRM =
      """
      update workflow_execution_queue q set claimed_at = statement_timestamp()
        from unnest(?::uuid[], ?::uuid[]) as s(id, token)
       where q.id = s.id and q.state = 'CLAIMED' and q.claim_token = s.token
      returning q.id
      """;

  /** Where nothing is to be started for now. */
  private static final String HALTED =
      """
      select w.id from workspace w cross join maintenance m
       where w.id = any(?::text[])
         and (m.mode <> 'normal' or (w.paused_at is not null and (w.paused_until is null or w.paused_until > statement_timestamp())))
      """;

  private final JdbcTemplate jdbc;

  public SettleLedger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  public record Started(UUID id, UUID token, String runId) {}

  public record Dispatched(
      UUID id,
      String workspaceId,
      @Nullable String traceparent,
      boolean cancelRequested,
      double waitedSeconds) {}

  /**
   * A claim that ends without a workflow.
   *
   * @param attempt 1 when Temporal refused it, 0 when it was not the item's fault
   * @param code null to try again after the delay, else the item is FAILED
   */
  public record Release(
      UUID id,
      UUID token,
      String workspaceId,
      int attempt,
      Duration delay,
      @Nullable String code,
      @Nullable String message) {}

  /** Answers those that were still ours, in the order they were given. */
  public List<Dispatched> dispatched(List<Started> started) {
    var settled = new HashMap<UUID, Dispatched>();
    jdbc.query(
        DISPATCHED,
        row -> {
          UUID id = row.getObject("id", UUID.class);
          settled.put(
              id,
              new Dispatched(
                  id,
                  row.getString("workspace_id"),
                  row.getString("traceparent"),
                  row.getBoolean("cancel_requested"),
                  row.getDouble("waited_seconds")));
        },
        Columns.of(started, Started::id),
        Columns.of(started, Started::token),
        Columns.of(started, Started::runId));
    return started.stream().map(one -> settled.remove(one.id())).filter(Objects::nonNull).toList();
  }

  public List<Freed> release(List<Release> releases) {
    return jdbc.query(
        RELEASED,
        Freed.ROW,
        Columns.of(releases, Release::id),
        Columns.of(releases, Release::token),
        Columns.of(releases, Release::attempt),
        Columns.of(releases, r -> r.delay().toMillis()),
        Columns.of(releases, Release::code),
        Columns.of(releases, Release::message));
  }

  /** Answers the ids that are still held under their token. */
  public List<UUID> confirm(List<Claim> claims) {
    return jdbc.query(
        CONFIRM,
        (row, n) -> row.getObject("id", UUID.class),
        Columns.of(claims, Claim::id),
        Columns.of(claims, Claim::token));
  }

  /** Of these workspaces, those that are paused, and all of them under maintenance. */
  public List<String> halted(Collection<String> workspaceIds) {
    return jdbc.queryForList(
        HALTED, String.class, Columns.of(List.copyOf(workspaceIds), workspace -> workspace));
  }
}
