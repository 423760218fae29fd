-- A close is told in a few words, too, as other changes are since V109: those nine, of which the second is "closed", then how it
-- closed and, where there is one, "result" or "error" and what it is. recovery-service makes the event of it (OutboxReader).
create function tell_close(execution_id uuid, workspace_id text, definition_id text, at timestamptz, attempts int,
                           traceparent text, run_id text, status text, result json, error text)
returns pg_lsn language sql volatile as $$
  select pg_logical_emit_message(true, 'sluice.outbox', coalesce(
    '["' || execution_id || '","closed",' || to_json(workspace_id)::text || ',' || to_json(definition_id)::text
      || ',"DISPATCHED",' || to_json(at)::text || ',' || attempts
      || ',' || coalesce(to_json(traceparent)::text, 'null') || ',' || coalesce(to_json(run_id)::text, 'null')
      || ',"' || status || '"' || coalesce(',"result",' || result::text, ',"error",' || to_json(error)::text, '') || ']',
    an_event_lacks_a_field()))
$$;

-- The same as before (V109), but for that.
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
  select tell_close(closed_id, workspace, e.definition_id, e.closed_at, e.attempts, e.traceparent, e.run_id,
                    outcome, outcome_result, outcome_error),
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
