-- What every execution goes through is told in a few words, as a list instead of the event itself: making the event's text took
-- PostgreSQL four times as long as making this, three times for each execution, and a quarter of what is written to the log.
-- recovery-service makes the event of it (OutboxReader). Events with more to tell (a failure, a close) are told as before.
create function tell_change(execution_id uuid, revision int, workspace_id text, definition_id text, state text, at timestamptz,
                            attempts int, traceparent text, run_id text default null)
returns pg_lsn language sql volatile as $$
  select pg_logical_emit_message(true, 'sluice.outbox', coalesce(
    '["' || execution_id || '",' || revision || ',' || to_json(workspace_id)::text || ',' || to_json(definition_id)::text
      || ',"' || state || '",' || to_json(at)::text || ',' || attempts
      || ',' || coalesce(to_json(traceparent)::text, 'null') || ',' || coalesce(to_json(run_id)::text, 'null') || ']',
    an_event_lacks_a_field()))
$$;

-- The same as before (V106), but for that.
create or replace function enter_few(ids uuid[], workspaces text[], definitions text[], priorities smallint[], inputs json[], keys text[],
                          deadlines bigint[], parents text[], traceparents text[], comings int[], claimer uuid)
returns table (id uuid, claim_token uuid, workspace_id text, definition_id text, definition_version int, input text,
               priority smallint, deadline_ms bigint, traceparent text, attempts int, accepted_at timestamptz, revision int,
               max_attempts int, first_backoff_ms bigint, longest_backoff_ms bigint, weight int, slots int, held int,
               told_pending pg_lsn, told_claimed pg_lsn)
language plpgsql volatile set join_collapse_limit = 4 as $$
#variable_conflict use_column
begin
  perform from workspace w where w.id = any(workspaces) order by w.id for no key update;
  return query
  with room as materialized (
    select a.id, a.workspace_id, a.definition_id, d.current_version, a.priority, a.input, a.idempotency_key, a.deadline_ms,
           a.parent_id, a.traceparent, a.n, d.max_attempts, d.first_backoff_ms, d.longest_backoff_ms, u.weight, u.slots, h.held
      from unnest(ids, workspaces, definitions, priorities, inputs, keys, deadlines, parents, traceparents, comings)
             with ordinality as a(id, workspace_id, definition_id, priority, input, idempotency_key, deadline_ms, parent_id,
                                  traceparent, coming, n)
      join unrestrained u on u.workspace_id = a.workspace_id
      join workflow_definition d on d.workspace_id = a.workspace_id and d.id = a.definition_id
      join workflow_definition_version v
        on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
     cross join lateral (select count(*)::int as held from workflow_execution e
                          where e.workspace_id = a.workspace_id and e.status = 'RUNNING') h
     where a.coming <= u.slots - h.held
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = a.workspace_id and o.state = 'PENDING' and o.gate = 'ready')
       and not exists (select from workflow_execution_queue c
                        where c.workspace_id = a.workspace_id and c.state = 'CLAIMED' and c.claim_owner is distinct from claimer)
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
         tell_change(q.id, 1, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0, r.traceparent),
         tell_change(q.id, 2, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, 0, r.traceparent)
    from accepted q
   cross join lateral (select * from room same where same.id = q.id limit 1) r -- a request may be there twice
   order by r.priority, q.seq;
end $$;

create or replace function hand_over(closed_id uuid, outcome text, outcome_result json, outcome_error text, last_run text, workspace text,
                          most int, claimer uuid)
returns table (slots int, held int, weight int, hindered boolean, id uuid, claim_token uuid, workspace_id text,
               definition_id text, definition_version int, input text, priority smallint, deadline_ms bigint,
               traceparent text, attempts int, accepted_at timestamptz, revision int, max_attempts int,
               first_backoff_ms bigint, longest_backoff_ms bigint)
language plpgsql volatile set join_collapse_limit = 4 as $$
#variable_conflict use_column
declare
  told pg_lsn;
  first_in_line uuid[];
  q workflow_execution_queue;
begin
  perform from workspace w where w.id = workspace for no key update;
  with closed as (
    update workflow_execution e
       set status = outcome, closed_at = statement_timestamp(), result = outcome_result, error = outcome_error, run_id = last_run
      from workflow_execution_queue i, unrestrained u
     where u.workspace_id = workspace
       and e.id = closed_id and e.status = 'RUNNING' and e.workspace_id = workspace
       and e.partition_key is null and e.limit_keys is null
       and i.id = closed_id and i.state = 'DISPATCHED'
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = workspace and o.state = 'PENDING' and o.gate = 'parked' and o.parked_on = 'definition')
       and not exists (select from workflow_execution_queue o
                        where o.workspace_id = workspace and o.state = 'CLAIMED' and o.claim_owner is distinct from claimer)
    returning e.definition_id, e.closed_at, i.attempts, i.traceparent, coalesce(e.run_id, i.run_id) as run_id,
              u.slots, u.weight
  )
  select tell(closed_id || ':closed', closed_id, workspace, 'closed', e.closed_at, e.traceparent,
              lifecycle_event(closed_id, workspace, e.definition_id, 'DISPATCHED', e.closed_at, e.attempts, 'workflow',
                workflow_of_event(closed_id, e.run_id, outcome, outcome_result, outcome_error))),
         e.slots, e.weight
    into told, slots, weight
    from closed e;
  if told is null then
    return;
  end if;

  select count(*) into held from workflow_execution e where e.workspace_id = workspace and e.status = 'RUNNING';
  select array_agg(f.id order by f.priority, f.seq),
         coalesce(bool_or(f.partition_key is not null or f.limit_keys is not null or f.expires_at is not null
                          or not exists (select from workflow_definition_version v
                                          where v.workspace_id = workspace and v.definition_id = f.definition_id
                                            and v.version = f.definition_version)), false)
    into first_in_line, hindered
    from (select * from workflow_execution_queue
           where workspace_id = workspace and state = 'PENDING' and gate = 'ready'
           order by priority, seq
           limit greatest(0, least(most, slots - held))) f;
  if hindered or first_in_line is null then
    return next;
    return;
  end if;

  -- One after the other, in their order: a statement for all of them costs more than there is to do, which is one nearly always.
  foreach id in array first_in_line loop
    update workflow_execution_queue c
       set state = 'CLAIMED', claim_token = gen_random_uuid(), claim_owner = claimer, claimed_at = statement_timestamp(),
           revision = c.revision + 1, woken_for = null, woken_key = null
     where c.id = hand_over.id and case when c.state = 'PENDING' and c.gate = 'ready' then true else false end
    returning c.* into strict q;
    insert into workflow_execution as e (id, workspace_id, definition_id, definition_version, started_at)
    values (q.id, q.workspace_id, q.definition_id, q.definition_version, q.claimed_at)
    on conflict (id) do update set started_at = excluded.started_at where e.status = 'RUNNING';
    perform tell_change(q.id, q.revision, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, q.attempts, q.traceparent);
    return query
      select slots, held, weight, false, q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version,
             q.input::text, q.priority, q.deadline_ms, q.traceparent, q.attempts, q.accepted_at, q.revision,
             d.max_attempts, d.first_backoff_ms, d.longest_backoff_ms
        from workflow_definition d where d.workspace_id = q.workspace_id and d.id = q.definition_id;
  end loop;
end $$;
