-- For a few items at a time, which is what a dispatcher has to do while it is not overloaded: there it is not the rows
-- that cost, but setting up the statements. What a large batch does in one statement of sixty nodes, for everything that
-- can be in the way, is done here by a few small ones for those in whose way there is nothing but their workspace's limit.
-- All others are left to the large statements. docs/decisions/few.md has the measurements.

-- The same conditions as before, as one: PostgreSQL reads and plans each of them anew for every statement that writes.
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'workflow_execution_queue'::regclass and contype = 'c' loop
    execute format('alter table workflow_execution_queue drop constraint %I', name);
  end loop;
end $$;

alter table workflow_execution_queue add constraint queue_row_is_sound check (
  case state
    when 'PENDING'    then claim_token is null and ended_at is null
    when 'CLAIMED'    then claim_token is not null and ended_at is null and claimed_at is not null
    when 'DISPATCHED' then claim_token is null and ended_at is null and dispatched_at is not null
    when 'FAILED'     then claim_token is null and ended_at is not null and failure_code is not null and failure_message is not null
    when 'CANCELLED'  then claim_token is null and ended_at is not null
    when 'EXPIRED'    then claim_token is null and ended_at is not null
    else false end
  and case gate
    when 'ready'   then parked_on is null
    when 'delayed' then parked_on is null and ready_at is not null
    when 'parked'  then case parked_on when 'limit' then parked_key is not null
                                       when 'partition' then parked_key is null
                                       when 'definition' then parked_key is null
                                       when 'paused' then parked_key is null
                                       else false end
    else false end
  and priority between 0 and 9
  and coalesce(deadline_ms > 0, true)
  and coalesce(cardinality(limit_keys) = cardinality(limit_maxes), true));

-- Requests become rows with their slots, where their workspace has room for all that came for it ('coming') and nobody
-- waits there. Answers those; whoever is not among them was not stored. What is counted is read after the locks were
-- granted: each statement of a volatile function reads anew.
create function enter_few(ids uuid[], workspaces text[], definitions text[], priorities smallint[], inputs json[], keys text[],
                          deadlines bigint[], parents text[], traceparents text[], comings int[], claimer uuid)
returns table (id uuid, claim_token uuid, workspace_id text, definition_id text, definition_version int, input text,
               priority smallint, deadline_ms bigint, traceparent text, attempts int, accepted_at timestamptz, revision int,
               max_attempts int, first_backoff_ms bigint, longest_backoff_ms bigint, weight int, slots int, held int,
               told_pending pg_lsn, told_claimed pg_lsn)
language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform from workspace w where w.id = any(workspaces) order by w.id for no key update;
  return query
  with room as materialized (
    select a.id, a.workspace_id, a.definition_id, d.current_version, a.priority, a.input, a.idempotency_key, a.deadline_ms,
           a.parent_id, a.traceparent, a.n, d.max_attempts, d.first_backoff_ms, d.longest_backoff_ms, p.weight, s.slots, h.held
      from unnest(ids, workspaces, definitions, priorities, inputs, keys, deadlines, parents, traceparents, comings)
             with ordinality as a(id, workspace_id, definition_id, priority, input, idempotency_key, deadline_ms, parent_id,
                                  traceparent, coming, n)
      join workspace w on w.id = a.workspace_id
      join plan p on p.id = w.plan_id
      join workflow_definition d on d.workspace_id = a.workspace_id and d.id = a.definition_id
      join workflow_definition_version v
        on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
     cross join lateral (select coalesce(w.concurrency_limit, p.concurrency_limit) as slots) s
     cross join lateral (select count(*)::int as held from workflow_execution e
                          where e.workspace_id = w.id and e.status = 'RUNNING') h
     where a.coming <= s.slots - h.held
       and w.paused_at is null and w.starts_per_second is null
       and not exists (select from maintenance where mode <> 'normal')
       and not exists (select from system_limit where concurrency_limit is not null)
       and not exists (select from workflow_definition r
                        where r.workspace_id = w.id and (r.concurrency_limit is not null or r.paused_at is not null))
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = w.id and o.state = 'PENDING' and o.gate = 'ready')
       and not exists (select from workflow_execution_queue c
                        where c.workspace_id = w.id and c.state = 'CLAIMED' and c.claim_owner is distinct from claimer)
  ), accepted as (
    insert into workflow_execution_queue as q
      (id, workspace_id, definition_id, definition_version, priority, input, idempotency_key, deadline_ms, parent_id,
       traceparent, state, claim_token, claim_owner, claimed_at, revision)
    select r.id, r.workspace_id, r.definition_id, r.current_version, r.priority, r.input, r.idempotency_key, r.deadline_ms,
           r.parent_id, r.traceparent, 'CLAIMED', gen_random_uuid(), claimer, statement_timestamp(), 2
      from room r
     order by r.n
    on conflict (id) do nothing
    returning q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version, q.accepted_at, q.claimed_at, q.seq
  ), executions as (
    insert into workflow_execution (id, workspace_id, definition_id, definition_version, started_at)
    select q.id, q.workspace_id, q.definition_id, q.definition_version, q.claimed_at from accepted q
  )
  select q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version, r.input::text, r.priority, r.deadline_ms,
         r.traceparent, 0, q.accepted_at, 2, r.max_attempts, r.first_backoff_ms, r.longest_backoff_ms, r.weight, r.slots, r.held,
         tell(q.id || ':1', q.id, q.workspace_id, 'pending', q.accepted_at, r.traceparent,
              lifecycle_event(q.id, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0)),
         tell(q.id || ':2', q.id, q.workspace_id, 'claimed', q.claimed_at, r.traceparent,
              lifecycle_event(q.id, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, 0))
    from accepted q
   cross join lateral (select * from room same where same.id = q.id limit 1) r -- a request may be there twice
   order by r.priority, q.seq;
end $$;

-- Workflows have closed, one in each of these workspaces: the slot of each is given to the first in line there, at most
-- 'mosts' of them. All or none: where any of it is in any way special, nothing is changed, and nothing is answered.
-- Answers a row for each workspace and claim, or one without a claim; 'hindered' where the first in line may have to stand
-- aside for something, which is not looked at here.
create function hand_over(ids uuid[], statuses text[], results json[], errors text[], runs text[], workspaces text[],
                          mosts int[], claimer uuid)
returns table (room_of text, slots int, held int, weight int, hindered boolean, id uuid, claim_token uuid, workspace_id text,
               definition_id text, definition_version int, input text, priority smallint, deadline_ms bigint,
               traceparent text, attempts int, accepted_at timestamptz, revision int, max_attempts int,
               first_backoff_ms bigint, longest_backoff_ms bigint, told_claimed pg_lsn)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  told_closed pg_lsn;
begin
  perform from workspace w where w.id = any(workspaces) order by w.id for no key update;
  if cardinality(ids) > (
    select count(*)
      from unnest(ids, workspaces) as c(id, workspace_id)
      join workspace w on w.id = c.workspace_id
      join workflow_execution e on e.id = c.id
      join workflow_execution_queue q on q.id = c.id
     where e.status = 'RUNNING' and e.partition_key is null and e.limit_keys is null
       and e.workspace_id = c.workspace_id and q.state = 'DISPATCHED'
       and w.paused_at is null and w.starts_per_second is null
       and not exists (select from maintenance where mode <> 'normal')
       and not exists (select from system_limit where concurrency_limit is not null)
       and not exists (select from workflow_definition r
                        where r.workspace_id = w.id and (r.concurrency_limit is not null or r.paused_at is not null))
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = w.id and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on = 'definition')
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = w.id and o.state = 'CLAIMED' and o.claim_owner is distinct from claimer)
  ) then
    return;
  end if;
  for i in 1 .. cardinality(ids) loop
    with closed as (
      update workflow_execution e
         set status = statuses[i], closed_at = statement_timestamp(), result = results[i], error = errors[i], run_id = runs[i]
       where e.id = ids[i] and e.status = 'RUNNING'
      returning e.*
    )
    select tell(e.id || ':closed', e.id, e.workspace_id, 'closed', e.closed_at, q.traceparent,
                lifecycle_event(e.id, e.workspace_id, e.definition_id, q.state, e.closed_at, q.attempts, 'workflow',
                  workflow_of_event(e.id, coalesce(e.run_id, q.run_id), e.status, e.result, e.error)))
      into told_closed
      from closed e join workflow_execution_queue q on q.id = e.id;
    return query
    with room as materialized (
      select c.slots, h.held, p.weight, least(mosts[i], c.slots - h.held) as free
        from workspace w
        join plan p on p.id = w.plan_id
       cross join lateral (select coalesce(w.concurrency_limit, p.concurrency_limit) as slots) c
       cross join lateral (select count(*)::int as held from workflow_execution e
                            where e.workspace_id = w.id and e.status = 'RUNNING') h
       where w.id = workspaces[i]
    ), first_in_line as materialized (
      select f.id, f.partition_key is not null or f.limit_keys is not null or f.expires_at is not null
                   or not exists (select from workflow_definition_version v
                                   where v.workspace_id = f.workspace_id and v.definition_id = f.definition_id
                                     and v.version = f.definition_version) as hindered
        from workflow_execution_queue f
       where f.workspace_id = workspaces[i] and f.state = 'PENDING' and f.gate = 'ready'
       order by f.priority, f.seq
       limit (select greatest(free, 0) from room)
    ), claimed as (
      update workflow_execution_queue q
         set state = 'CLAIMED', claim_token = gen_random_uuid(), claim_owner = claimer, claimed_at = statement_timestamp(),
             revision = q.revision + 1, woken_for = null, woken_key = null
       -- By the primary key, whatever the planner believes, as in the dispatcher's claiming statement.
       where q.id = any(array(select f.id from first_in_line f
                               where not exists (select from first_in_line h where h.hindered)))
         and case when q.state = 'PENDING' and q.gate = 'ready' then true else false end
      returning q.*
    ), executions as (
      insert into workflow_execution as e (id, workspace_id, definition_id, definition_version, started_at)
      select q.id, q.workspace_id, q.definition_id, q.definition_version, q.claimed_at from claimed q
      on conflict (id) do update set started_at = excluded.started_at where e.status = 'RUNNING'
    )
    select workspaces[i], r.slots, r.held, r.weight, exists (select from first_in_line f where f.hindered),
           q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version, q.input::text, q.priority,
           q.deadline_ms, q.traceparent, q.attempts, q.accepted_at, q.revision, d.max_attempts, d.first_backoff_ms,
           d.longest_backoff_ms,
           case when q.id is not null then
             tell(q.id || ':' || q.revision, q.id, q.workspace_id, 'claimed', q.claimed_at, q.traceparent,
                  lifecycle_event(q.id, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, q.attempts)) end
      from room r
      left join claimed q on true
      left join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id
     order by q.priority, q.seq;
  end loop;
end $$;
