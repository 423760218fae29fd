-- What was started is written back. As a statement of its own this was planned for what was there at the time, and that plan is
-- kept: made while nothing was, it read all of the queue, or all that is claimed and what no vacuum had taken away yet, and
-- compared each of it with each of the batch. By their ids, and through a hash of the batch, there is only one way.
-- A claim that is not held under its token any more is left alone, and not in the answer.
create function settle_started(ids uuid[], tokens uuid[], run_ids text[])
returns table (id uuid, workspace_id text, traceparent text, cancel_requested boolean, waited_seconds numeric, told pg_lsn)
language plpgsql volatile set enable_nestloop = off as $$
#variable_conflict use_column
begin
  return query
  update workflow_execution_queue q
     set state = 'DISPATCHED', dispatched_at = statement_timestamp(), run_id = s.run_id, claim_token = null, claim_owner = null,
         revision = q.revision + 1
    from unnest(ids, tokens, run_ids) as s(id, token, run_id)
   where q.id = s.id and q.id = any(ids)
     -- No partial index matches this guard.
     and case when q.state = 'CLAIMED' then q.claim_token = s.token else false end
  returning q.id, q.workspace_id, q.traceparent, q.cancel_requested_at is not null,
            extract(epoch from q.dispatched_at - greatest(q.accepted_at, q.ready_at)),
            tell_change(q.id, q.revision, q.workspace_id, q.definition_id, q.state, q.dispatched_at, q.attempts, q.traceparent,
                        q.run_id);
end $$;
