-- The same as enter_few (V109) for batches of hundreds: a workspace's room is counted once, however many came for it. Until now
-- they entered by the large statement that stores anything, which has nothing to do with slots any more.
-- Each request names the place of its workspace in 'names'. The answer has a row for each request that was stored, with its
-- claim, and then one for each workspace, with its place and what it had before: whoever asks knows the rest.
create function enter_many(ids uuid[], workspaces text[], definitions text[], priorities smallint[], inputs json[], keys text[],
                           deadlines bigint[], parents text[], traceparents text[], places int[],
                           names text[], comings int[], claimer uuid)
returns table (id uuid, claim_token uuid, definition_version int, accepted_at timestamptz, max_attempts int,
               first_backoff_ms bigint, longest_backoff_ms bigint, told_pending pg_lsn, told_claimed pg_lsn,
               place int, slots int, held int, weight int)
language plpgsql volatile set join_collapse_limit = 4 as $$
#variable_conflict use_column
declare
  all_slots int[];
  all_held int[];
  all_weights int[];
begin
  perform from workspace w where w.id = any(names) order by w.id for no key update;
  -- Arrays of numbers, since a place in them is found at once; a join, expected to be of one row, would look at each for each.
  -- Where something is in the way there are no slots, and no number of requests fits in.
  select array_agg(coalesce(r.slots, 0) order by n.place), array_agg(coalesce(r.held, 0) order by n.place),
         array_agg(coalesce(r.weight, 0) order by n.place)
    into all_slots, all_held, all_weights
    from unnest(names) with ordinality as n(name, place)
    left join lateral (
      select u.slots, u.weight,
             (select count(*)::int from workflow_execution e where e.workspace_id = n.name and e.status = 'RUNNING') as held
        from unrestrained u
       where u.workspace_id = n.name
         and not exists (select from workflow_execution_queue o
                          where o.workspace_id = n.name and o.state = 'PENDING' and o.gate = 'ready')
         and not exists (select from workflow_execution_queue c
                          where c.workspace_id = n.name and c.state = 'CLAIMED' and c.claim_owner is distinct from claimer)
    ) r on true;

  return query
  with accepted as (
    insert into workflow_execution_queue as q
      (id, workspace_id, definition_id, definition_version, priority, input, idempotency_key, deadline_ms, parent_id,
       traceparent, state, claim_token, claim_owner, claimed_at, revision)
    select a.id, a.workspace_id, a.definition_id, d.current_version, a.priority, a.input, a.idempotency_key, a.deadline_ms,
           a.parent_id, a.traceparent, 'CLAIMED', gen_random_uuid(), claimer, statement_timestamp(), 2
      from unnest(ids, workspaces, definitions, priorities, inputs, keys, deadlines, parents, traceparents, places)
             with ordinality as a(id, workspace_id, definition_id, priority, input, idempotency_key, deadline_ms, parent_id,
                                  traceparent, place, n)
      join workflow_definition d on d.workspace_id = a.workspace_id and d.id = a.definition_id
      join workflow_definition_version v
        on v.workspace_id = d.workspace_id and v.definition_id = d.id and v.version = d.current_version
     where comings[a.place] <= all_slots[a.place] - all_held[a.place]
     order by a.n
    on conflict (id) do nothing
    returning q.id, q.claim_token, q.workspace_id, q.definition_id, q.definition_version, q.accepted_at, q.claimed_at,
              q.traceparent
  ), executions as (
    insert into workflow_execution (id, workspace_id, definition_id, definition_version, started_at)
    select q.id, q.workspace_id, q.definition_id, q.definition_version, q.claimed_at from accepted q
  )
  select q.id, q.claim_token, q.definition_version, q.accepted_at, d.max_attempts, d.first_backoff_ms, d.longest_backoff_ms,
         tell_change(q.id, 1, q.workspace_id, q.definition_id, 'PENDING', q.accepted_at, 0, q.traceparent),
         tell_change(q.id, 2, q.workspace_id, q.definition_id, 'CLAIMED', q.claimed_at, 0, q.traceparent),
         null::int, null::int, null::int, null::int
    from accepted q
    join workflow_definition d on d.workspace_id = q.workspace_id and d.id = q.definition_id;

  return query
  select null::uuid, null::uuid, null::int, null::timestamptz, null::int, null::bigint, null::bigint, null::pg_lsn, null::pg_lsn,
         r.place::int, r.slots, r.held, r.weight
    from unnest(all_slots, all_held, all_weights) with ordinality as r(slots, held, weight, place);
end $$;

drop function room_under_lock(text[], uuid);
