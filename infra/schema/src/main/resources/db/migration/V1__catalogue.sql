-- The catalogue: who may run what, and how much of it. Written by ingest-service only.

create table plan (
  id                text primary key check (id ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  concurrency_limit int not null check (concurrency_limit >= 0),
  weight            int not null default 1 check (weight between 1 and 1000),   -- share of starts where they are scarce
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);

insert into plan (id, concurrency_limit, weight) values ('FREE', 1, 1), ('PRO', 5, 2), ('ENTERPRISE', 20, 4);

create table workspace (
  id                text primary key check (id ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  plan_id           text not null references plan (id),
  concurrency_limit int check (concurrency_limit >= 0),   -- overrides the plan's
  starts_per_second double precision check (starts_per_second > 0),
  start_burst       int check (start_burst >= 1),         -- starts at once after a quiet time; absent: one second's worth
  backlog_limit     int check (backlog_limit >= 0),       -- how many may wait; absent: the setting
  paused_at         timestamptz,
  paused_until      timestamptz,
  pause_reason      text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  check (paused_at is not null or (paused_until is null and pause_reason is null)),
  check (start_burst is null or starts_per_second is not null)
);

create index workspace_by_plan on workspace (plan_id);
create index workspace_paused_until on workspace (paused_until) where paused_until is not null;

create table workflow_definition (
  workspace_id      text not null references workspace (id) on delete cascade,
  id                text not null check (id ~ '^[A-Za-z0-9_.:-]{1,64}$'),
  current_version   int not null check (current_version >= 1),
  max_attempts      int not null default 3 check (max_attempts >= 1),
  concurrency_limit int check (concurrency_limit >= 0),
  first_backoff_ms   bigint check (first_backoff_ms > 0),      -- after a refused start; absent: the dispatcher's setting
  longest_backoff_ms bigint check (longest_backoff_ms > 0),
  -- What a request does that meets another with its partition key.
  collision         text not null default 'queue' check (collision in ('queue', 'reject', 'cancel-running', 'replace-waiting')),
  paused_at         timestamptz,
  paused_until      timestamptz,
  pause_reason      text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (workspace_id, id),
  check (paused_at is not null or (paused_until is null and pause_reason is null))
);

create index definition_paused_until on workflow_definition (paused_until) where paused_until is not null;

-- A version never changes once it is written: dispatchers keep them in memory.
create table workflow_definition_version (
  workspace_id  text not null,
  definition_id text not null,
  version       int not null check (version >= 1),
  workflow_type text,
  task_queue    text,
  graph         jsonb,
  created_at    timestamptz not null default now(),
  primary key (workspace_id, definition_id, version),
  foreign key (workspace_id, definition_id) references workflow_definition (workspace_id, id) on delete cascade,
  check (case when graph is null then workflow_type is not null and task_queue is not null
              else workflow_type is null and task_queue is null end)
);

-- One row: what all dispatchers do, whatever restarts.
create table maintenance (
  only_row   boolean primary key default true check (only_row),
  mode       text not null default 'normal' check (mode in ('normal', 'drain', 'cancel')),
  generation int not null default 1,
  changed_at timestamptz not null default now()
);

insert into maintenance default values;

-- One row: how many executions may be open in all workspaces together. Absent: as many as their limits allow.
create table system_limit (
  only_row          boolean primary key default true check (only_row),
  concurrency_limit int check (concurrency_limit >= 0),
  changed_at        timestamptz not null default now()
);

insert into system_limit default values;

-- What operators did: who, when, why. Written in the transaction of the change where there is one.
create table audit (
  id           bigint generated always as identity primary key,
  at           timestamptz not null default now(),
  actor        text not null,
  action       text not null,                             -- plan.put, workspace.pause, execution.cancel, …
  workspace_id text,
  subject      text,                                      -- what it was done to: a plan, a definition, an execution
  reason       text,
  detail       jsonb
);

create index audit_by_workspace on audit (workspace_id, id desc) where workspace_id is not null;
