-- The queue and what became of it. Written by dispatcher-service only.

create table workflow_execution_queue (
  id                 uuid primary key,
  seq                bigint generated always as identity,     -- the order of acceptance
  workspace_id       text not null,                           -- no foreign key: an unknown one is a FAILED row
  definition_id      text not null,
  definition_version int,                                     -- pinned at acceptance; absent when the definition is unknown
  state              text not null check (state in ('PENDING', 'CLAIMED', 'DISPATCHED', 'FAILED', 'CANCELLED', 'EXPIRED')),
  priority           smallint not null check (priority between 0 and 9),
  input              json not null,
  idempotency_key    text,
  not_before         timestamptz,
  expires_at         timestamptz,
  deadline_ms        bigint check (deadline_ms > 0),
  partition_key      text,
  limit_keys         text[],                                  -- the caller's own caps: no more than limit_maxes[i] open
  limit_maxes        int[],                                   -- in this workspace with limit_keys[i]
  parent_id          text,
  retry_of           uuid,
  traceparent        text,

  -- While PENDING: may it be looked at by admission ('ready'), is it not due before ready_at ('delayed'),
  -- or does it wait for another of its partition key, its definition or a key of its limits ('parked')? Only
  -- 'ready' rows are in the index that admission reads, so the others cost it nothing however many there are.
  gate               text not null default 'ready' check (gate in ('ready', 'delayed', 'parked')),
  ready_at           timestamptz,
  parked_on          text check (parked_on in ('partition', 'definition', 'limit', 'paused')),
  parked_key         text,                                    -- of its limit_keys, the one it waits for
  parked_max         int,                                     -- and how many of that may be open for this one
  woken_for          text,                                    -- what it last stopped waiting for: if it has to stand aside
  woken_key          text,                                    -- for something else now, that is passed on to the next

  attempts           int not null default 0,                  -- starts that Temporal refused
  redrives           int not null default 0,                  -- times somebody took over its claim
  revision           int not null default 1,                  -- counts state changes: order and identity of its events
  claim_token        uuid,
  claim_owner        uuid,                                    -- the dispatcher that starts it; absent when a hand made the claim
  failure_code       text,
  failure_message    text,
  run_id             text,
  cancel_requested_at timestamptz,                            -- asked for while it could not be taken back any more
  terminate_at       timestamptz,                             -- asked to stop, and has so long to do it

  accepted_at        timestamptz not null default now(),
  claimed_at         timestamptz,                             -- the lease's start, by the database's clock
  dispatched_at      timestamptz,
  ended_at           timestamptz,                             -- FAILED, CANCELLED, EXPIRED

  check ((state = 'CLAIMED') = (claim_token is not null)),
  check (state <> 'CLAIMED' or claimed_at is not null),
  check (state <> 'DISPATCHED' or dispatched_at is not null),
  check ((state = 'FAILED') <= (failure_code is not null and failure_message is not null)),
  check ((state in ('FAILED', 'CANCELLED', 'EXPIRED')) = (ended_at is not null)),
  check ((gate = 'delayed') <= (ready_at is not null)),
  check ((gate = 'parked') = (parked_on is not null)),
  check ((parked_on = 'limit') = (parked_key is not null)),
  check (cardinality(limit_keys) = cardinality(limit_maxes))
) with (
  -- A queue's rows change a few times soon after they are written: leave room on the page, and
  -- clean up after thousands of changes, not after a fifth of a large table.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 1
);

create index queue_ready    on workflow_execution_queue (workspace_id, priority, seq) where state = 'PENDING' and gate = 'ready';
create index queue_delayed  on workflow_execution_queue (ready_at)                    where state = 'PENDING' and gate = 'delayed';
-- To count what a workspace has waiting; only rows that are delayed pay for it.
create index queue_delayed_of on workflow_execution_queue (workspace_id)              where state = 'PENDING' and gate = 'delayed';
create index queue_parked_on_partition  on workflow_execution_queue (workspace_id, partition_key, priority, seq) where state = 'PENDING' and gate = 'parked' and parked_on = 'partition';
create index queue_parked_on_definition on workflow_execution_queue (workspace_id, definition_id, priority, seq) where state = 'PENDING' and gate = 'parked' and parked_on = 'definition';
create index queue_parked_on_limit      on workflow_execution_queue (workspace_id, parked_key, priority, seq)    where state = 'PENDING' and gate = 'parked' and parked_on = 'limit';
create index queue_parked_on_pause      on workflow_execution_queue (workspace_id, definition_id)                where state = 'PENDING' and gate = 'parked' and parked_on = 'paused';
-- The first of a partition key may itself wait for something else; those behind it wait for it all the same.
create index queue_key_parked_otherwise on workflow_execution_queue (workspace_id, partition_key) where state = 'PENDING' and gate = 'parked' and parked_on <> 'partition' and partition_key is not null;
create index queue_of_key   on workflow_execution_queue (workspace_id, partition_key, seq)        where state = 'PENDING' and partition_key is not null;
create index queue_passing_on on workflow_execution_queue (workspace_id)             where state = 'PENDING' and gate = 'parked' and woken_for is not null;
create index queue_stopping on workflow_execution_queue (terminate_at)                where terminate_at is not null;
create index queue_expiring on workflow_execution_queue (expires_at)                  where state = 'PENDING' and expires_at is not null;
create index queue_claimed  on workflow_execution_queue (workspace_id)                where state = 'CLAIMED';
create index queue_listing  on workflow_execution_queue (workspace_id, seq desc);
create index queue_ended    on workflow_execution_queue (workspace_id, state, seq desc) where state in ('FAILED', 'CANCELLED', 'EXPIRED');

-- The life cycle, again: ItemTransition is the table, a test compares the two.
create function refuse_transition() returns trigger language plpgsql as $$
begin
  raise exception 'queue item % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
end $$;

create trigger queue_transition before update of state on workflow_execution_queue
  for each row when (old.state <> new.state and (old.state, new.state) not in (
    ('PENDING', 'CLAIMED'), ('CLAIMED', 'DISPATCHED'), ('CLAIMED', 'PENDING'), ('CLAIMED', 'FAILED'),
    ('PENDING', 'FAILED'), ('PENDING', 'CANCELLED'), ('PENDING', 'EXPIRED'), ('FAILED', 'PENDING')))
  execute function refuse_transition();

-- One row per started workflow, from just before the start (so that a retry finds it). A RUNNING row is a held slot.
create table workflow_execution (
  id                 uuid primary key references workflow_execution_queue (id) on delete cascade,
  workspace_id       text not null,
  definition_id      text not null,
  definition_version int not null,
  partition_key      text,
  limit_keys         text[],
  status             text not null default 'RUNNING'
                     check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT', 'NOT_FOUND')),
  run_id             text,                                    -- of the last run, where it is not the first
  result             json,
  error              text,
  started_at         timestamptz not null default now(),
  closed_at          timestamptz,
  checked_at         timestamptz not null default now(),      -- when it was last seen open in Temporal
  check ((status = 'RUNNING') = (closed_at is null))
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 1
);

create index execution_held      on workflow_execution (workspace_id, definition_id) where status = 'RUNNING';
create index execution_partition on workflow_execution (workspace_id, partition_key) where status = 'RUNNING' and partition_key is not null;
create index execution_limits    on workflow_execution (workspace_id)                where status = 'RUNNING' and limit_keys is not null;
create index execution_recent    on workflow_execution (workspace_id, closed_at)     where status <> 'RUNNING';
-- The same rows as status = 'RUNNING', said in another way: no statement that counts a workspace's slots may take this index
-- for execution_held, which the planner did while it believed that next to nothing runs.
create index execution_unchecked on workflow_execution (checked_at)                  where closed_at is null;

-- Closed is closed.
create function refuse_transition_of_execution() returns trigger language plpgsql as $$
begin
  raise exception 'execution % is % already, it cannot become %', old.id, old.status, new.status using errcode = 'check_violation';
end $$;

create trigger execution_closed_once before update of status on workflow_execution
  for each row when (old.status <> 'RUNNING' and old.status <> new.status)
  execute function refuse_transition_of_execution();

-- How many starts a workspace with a start rate has left. Written by dispatcher-service, under the workspace's lock.
create table start_bucket (
  workspace_id text primary key references workspace (id) on delete cascade,
  tokens       double precision not null,
  filled_at    timestamptz not null
);
