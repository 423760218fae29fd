-- Where requests may have their slots with their rows: nobody waits there, nothing but the workspace's own limit has to
-- be looked at, and nobody but the claimer has claims there. Answers {workspace: [free, slots, held, weight]} for those.
--
-- A function, because what is counted has to be read after the locks were granted. Within one statement only a volatile
-- function reads anew; without it the lock, the look, the rows and the commit were four trips instead of one.
create function room_under_lock(candidates text[], claimer uuid) returns jsonb language plpgsql volatile as $$
declare
  room jsonb;
begin
  perform from workspace where id = any(candidates) order by id for no key update;
  select jsonb_object_agg(w.id, jsonb_build_array(s.slots - h.held, s.slots, h.held, p.weight)) into room
    from workspace w
    join plan p on p.id = w.plan_id
   cross join lateral (select coalesce(w.concurrency_limit, p.concurrency_limit) as slots) s
   cross join lateral (select count(*)::int as held from workflow_execution e
                        where e.workspace_id = w.id and e.status = 'RUNNING') h
   where w.id = any(candidates)
     and w.paused_at is null and w.starts_per_second is null
     and not exists (select from maintenance where mode <> 'normal')
     and not exists (select from system_limit where concurrency_limit is not null)
     and not exists (select from workflow_definition d
                      where d.workspace_id = w.id and (d.concurrency_limit is not null or d.paused_at is not null))
     and not exists (select from workflow_execution_queue q
                      where q.workspace_id = w.id and q.state = 'PENDING' and q.gate = 'ready')
     and not exists (select from workflow_execution_queue c
                      where c.workspace_id = w.id and c.state = 'CLAIMED' and c.claim_owner is distinct from claimer);
  return coalesce(room, '{}');
end $$;

create index definition_restrained on workflow_definition (workspace_id) where concurrency_limit is not null or paused_at is not null;
