package dev.sluice.dispatcher.ledger;

import java.time.Duration;

/** The statements of {@link AdmitLedger}. */
final class AdmitSql {
  /**
   * The columns of a {@link Claim}, as every statement that hands one out returns them. A version
   * that is gone reads as null and fails the item.
   */
  static final String CLAIM_COLUMNS =
      """
      q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version, q.input::text as input, q.priority,
      q.deadline_ms, q.traceparent, q.attempts, q.accepted_at, q.revision\
      """;

  /** Where a row stands in its line; among equals the one that came first. */
  private static final String PRIORITY = "q.priority::int";

  private static final String AGED_PRIORITY =
      "greatest(0, q.priority - floor(extract(epoch from statement_timestamp() - q.accepted_at) *"
          + " 1000 / $AGING_MS))::int";

  /** The first in line by the index alone. */
  private static final String BY_PRIORITY =
      """
      select id, workspace_id, definition_id, definition_version, partition_key, limit_keys, limit_maxes,
                  $RANK as rank, seq, expires_at
             from workflow_execution_queue q
            where workspace_id = r.workspace_id and state = 'PENDING' and gate = 'ready'
            order by priority, seq
            limit greatest(r.granted, 0) + r.look_ahead\
      """;

  /**
   * Within a priority the oldest is also the one that has aged most, so the first of each are all
   * that can be first of all: ten probes of the index, however many wait.
   */
  private static final String BY_AGED_PRIORITY =
      """
      select aged.* from generate_series(0, 9) level cross join lateral (
             select id, workspace_id, definition_id, definition_version, partition_key, limit_keys, limit_maxes,
                    $RANK as rank, seq, expires_at
               from workflow_execution_queue q
              where workspace_id = r.workspace_id and state = 'PENDING' and gate = 'ready' and priority = level::smallint
              order by seq
              limit greatest(r.granted, 0) + r.look_ahead) aged
            order by aged.rank, aged.seq
            limit greatest(r.granted, 0) + r.look_ahead\
      """;

  /**
   * Room, the first in line, what hinders each of them, and the claims, as one statement for many
   * workspaces. An item that has to stand aside is parked, so that it costs nothing until what it
   * waits for is over; one that only has to wait for another of this very batch ('turn') stays
   * ready and is looked at again.
   */
  private static final String CLAIM =
      """
      with asked as (
        select * from unnest(?::text[], ?::int[], ?::int[]) with ordinality as a(workspace_id, most, look_ahead, n)
      ), everywhere as (
        select g.concurrency_limit - (select count(*) from workflow_execution where status = 'RUNNING')::int as free
          from system_limit g where g.concurrency_limit is not null
      ), room as (
        select a.workspace_id, a.look_ahead, a.n, c.slots, h.held, p.weight, w.starts_per_second as rate, t.tokens,
               least(a.most, c.slots - h.held, floor(t.tokens)::int) as free,
               m.mode = 'normal' and (w.paused_at is null or w.paused_until <= statement_timestamp())
                 and not exists (select from workflow_execution_queue c
                                  where c.workspace_id = w.id and c.state = 'CLAIMED'
                                    and c.claim_owner is distinct from ?::uuid) as open
          from asked a
          join workspace w on w.id = a.workspace_id
          join plan p on p.id = w.plan_id
          left join start_bucket b on b.workspace_id = w.id and w.starts_per_second is not null
         cross join maintenance m
         cross join lateral (select coalesce(w.concurrency_limit, p.concurrency_limit) as slots) c
         cross join lateral (select count(*)::int as held from workflow_execution e
                              where e.workspace_id = w.id and e.status = 'RUNNING') h
         cross join lateral (
           select case when w.starts_per_second is not null then least(
             coalesce(w.start_burst, ceil(w.starts_per_second)),
             coalesce(b.tokens + greatest(0, extract(epoch from statement_timestamp() - b.filled_at)) * w.starts_per_second,
                      w.start_burst, ceil(w.starts_per_second))) end as tokens) t
      ), shared as (
        select r.*,
               case when e.free is null then r.free
                    else least(r.free, e.free - coalesce(sum(greatest(r.free, 0)) filter (where r.open) over earlier, 0))::int end as granted
          from room r left join everywhere e on true
        window earlier as (order by r.n rows between unbounded preceding and 1 preceding)
      ), first_in_line as (
        select q.*, r.granted, d.concurrency_limit, v.version,
               d.paused_at is not null and (d.paused_until is null or d.paused_until > statement_timestamp()) as paused
          from shared r
         cross join lateral (
           $CANDIDATES) q
          left join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
          left join workflow_definition_version v
                 on v.workspace_id = q.workspace_id and v.definition_id = q.definition_id and v.version = q.definition_version
         where r.granted > 0 and r.open
      ), by_partition as (
        select f.*,
               case when f.version is null then 'gone'
                    when f.expires_at <= statement_timestamp() then 'late'
                    when f.partition_key is not null and (
                         row_number() over (partition by f.workspace_id, f.partition_key order by f.rank, f.seq) > 1
                         or exists (select from workflow_execution e
                                     where e.workspace_id = f.workspace_id and e.partition_key = f.partition_key
                                       and e.status = 'RUNNING')
                         or exists (select from workflow_execution_queue o
                                     where o.workspace_id = f.workspace_id and o.partition_key = f.partition_key
                                       and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on <> 'partition'
                                       and (o.priority, o.seq) < (f.rank, f.seq))) then 'partition'
                    when f.paused then 'paused' end as hindrance
          from first_in_line f
      ), keyed as (
        select f.id, f.workspace_id, l.key, l.max,
               row_number() over (partition by f.workspace_id, l.key order by f.rank, f.seq) as nth
          from by_partition f cross join lateral unnest(f.limit_keys, f.limit_maxes) as l(key, max)
         where f.limit_keys is not null and f.hindrance is null
      ), key_held as (
        select e.workspace_id, key, count(*) as held
          from (select distinct workspace_id from keyed) k
          join workflow_execution e on e.workspace_id = k.workspace_id and e.status = 'RUNNING' and e.limit_keys is not null
         cross join lateral unnest(e.limit_keys) as key
         group by e.workspace_id, key
      ), limited as (
        select k.id,
               (array_agg(k.key order by k.key) filter (where h.held >= k.max))[1] as full_key,
               (array_agg(k.max order by k.key) filter (where h.held >= k.max))[1] as full_max,
               bool_or(coalesce(h.held, 0) + k.nth > k.max) as must_wait
          from keyed k left join key_held h on h.workspace_id = k.workspace_id and h.key = k.key
         group by k.id
      ), by_limit as (
        select b.*, l.full_key, l.full_max,
               coalesce(b.hindrance, case when l.full_key is not null then 'limit' when l.must_wait then 'turn' end) as obstacle
          from by_partition b left join limited l on l.id = b.id
      ), judged as (
        select b.*,
               case when b.obstacle is null and b.concurrency_limit is not null
                     and row_number() over (partition by b.workspace_id, b.definition_id, b.obstacle order by b.rank, b.seq)
                       + (select count(*) from workflow_execution e
                           where e.workspace_id = b.workspace_id and e.definition_id = b.definition_id
                             and e.status = 'RUNNING') > b.concurrency_limit
                    then 'definition' else b.obstacle end as verdict
          from by_limit b
      ), chosen as (
        select * from (
          select j.id, j.granted, row_number() over (partition by j.workspace_id order by j.rank, j.seq) as n
            from judged j where j.verdict is null) ranked
         where n <= granted
      ), claimed as (
        update workflow_execution_queue q
           set state = 'CLAIMED', claim_token = gen_random_uuid(), claim_owner = ?::uuid,
               claimed_at = statement_timestamp(), revision = q.revision + 1, woken_for = null, woken_key = null
         -- By the primary key, whatever the planner believes: after a quiet time its statistics say that nothing waits,
         -- and by an index of what waits, or through all of them by their keys, it would look at the whole batch for each
         -- row there is. These ids and a guard that no partial index matches leave it no other way; a guard it cannot
         -- judge keeps it from taking what is left for a single row, which it would compare with each of the batch.
         -- Nothing is joined here: it would join by one id and then look for that id among all of the batch.
         where q.id = any(array(select id from chosen))
           and case when q.state = 'PENDING' and q.gate = 'ready' then true else false end
        returning $CLAIM_COLUMNS, q.seq, q.claimed_at, q.partition_key, q.limit_keys
      ), executions as (
        insert into workflow_execution (id, workspace_id, definition_id, definition_version, partition_key, limit_keys, started_at)
        select id, workspace_id, definition_id, definition_version, partition_key, limit_keys, claimed_at from claimed
        on conflict (id) do update set started_at = excluded.started_at where workflow_execution.status = 'RUNNING'
      ), spent as (
        insert into start_bucket (workspace_id, tokens, filled_at)
        select r.workspace_id, r.tokens - count(*), statement_timestamp()
          from room r join claimed c on c.workspace_id = r.workspace_id
         where r.tokens is not null
         group by r.workspace_id, r.tokens
        on conflict (workspace_id) do update set tokens = excluded.tokens, filled_at = excluded.filled_at
      ), ended as (
        update workflow_execution_queue q
           set state = case j.verdict when 'late' then 'EXPIRED' else 'FAILED' end,
               failure_code = case j.verdict when 'gone' then 'UNKNOWN_DEFINITION' end,
               failure_message = case j.verdict when 'gone'
                 then format('definition %s was deleted while the request waited: create it again, then retry', q.definition_id) end,
               ended_at = statement_timestamp(), revision = q.revision + 1
          from judged j
         where q.id = j.id and j.verdict in ('gone', 'late')
           and q.id = any(array(select id from judged where verdict in ('gone', 'late')))
           and case when q.state = 'PENDING' then true else false end
        returning q.*
      ), parked as (
        update workflow_execution_queue q
           set gate = 'parked', parked_on = j.verdict,
               parked_key = case when j.verdict = 'limit' then j.full_key end,
               parked_max = case when j.verdict = 'limit' then j.full_max end
          from judged j
         where q.id = j.id and j.verdict in ('partition', 'definition', 'limit', 'paused')
           and q.id = any(array(select id from judged where verdict in ('partition', 'definition', 'limit', 'paused')))
           and case when q.state = 'PENDING' then true else false end
        returning q.workspace_id
      ), told as (
        select tell_change(q.id, q.revision, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, q.attempts, q.traceparent)
          from claimed q
        union all
        select tell(q.id || ':' || q.revision, q.id, q.workspace_id, lower(q.state), q.ended_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, q.state, q.ended_at, q.attempts,
                 'failure', case when q.failure_code is not null
                                 then json_build_object('code', q.failure_code, 'message', q.failure_message) end))
          from ended q
      ), events as materialized (
        -- Counted once: as a part of the join below it may be for each row, all of them again.
        select count(*) from told
      )
      select r.workspace_id as room_of, r.slots, r.held, r.free, r.granted, r.open, r.weight as share, r.rate, r.tokens,
             (select count(*) from parked p where p.workspace_id = r.workspace_id) as parked,
             (select count(*) from ended e where e.workspace_id = r.workspace_id) as ended,
             (select count(*) from limited l join judged j on j.id = l.id
               where j.workspace_id = r.workspace_id and j.verdict = 'turn') as turns,
             $CLAIM_COLUMNS, d.max_attempts, d.first_backoff_ms, d.longest_backoff_ms, r.weight
        from shared r
       cross join events
        left join claimed q on q.workspace_id = r.workspace_id
        left join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
       order by r.n, $RANK, q.seq
      """
          .replace("$CLAIM_COLUMNS", CLAIM_COLUMNS);

  /** The workspace is gone: what waited for it can never start. */
  static final String FAIL_ORPHANS =
      """
      with gone as (
        update workflow_execution_queue q
           set state = 'FAILED', failure_code = 'UNKNOWN_WORKSPACE', gate = 'ready', parked_on = null, parked_key = null,
               failure_message = format('workspace %s was deleted while the request waited: create it again, then retry', q.workspace_id),
               ended_at = statement_timestamp(), revision = q.revision + 1
         where q.workspace_id = any(?::text[]) and q.state = 'PENDING'
           and not exists (select from workspace w where w.id = q.workspace_id)
        returning q.*
      ), told as (
        insert into outbox (event_id, execution_id, workspace_id, kind, at, traceparent, data)
        select q.id || ':' || q.revision, q.id, q.workspace_id, 'failed', q.ended_at, q.traceparent,
               lifecycle_event(q.id, q.workspace_id, q.definition_id, 'FAILED', q.ended_at, q.attempts,
                 'failure', json_build_object('code', q.failure_code, 'message', q.failure_message))
          from gone q
      )
      select count(*) from gone
      """;

  private AdmitSql() {}

  /**
   * The claiming statement.
   *
   * @param aging zero for none: then only the priority counts
   */
  static String claim(Duration aging) {
    return CLAIM
        .replace("$CANDIDATES", aging.isZero() ? BY_PRIORITY : BY_AGED_PRIORITY)
        .replace("$RANK", aging.isZero() ? PRIORITY : AGED_PRIORITY)
        .replace("$AGING_MS", Long.toString(aging.toMillis()));
  }
}
