-- What recovery-service remembers. It writes nothing else but the removal of rows past their retention.

-- One row: how far the outbox was relayed, and whether a replay from the tables is owed.
create table relay_state (
  only_row      boolean primary key default true check (only_row),
  relayed_lsn   pg_lsn,          -- everything committed up to here is on the topic
  relayed_until timestamptz,     -- the commit time that belongs to it
  replay_since  timestamptz,     -- what changed since then has to be told again from the tables
  replay_reason text,
  updated_at    timestamptz not null default now(),
  check ((replay_since is null) = (replay_reason is null))
);

insert into relay_state default values;

-- Messages that could not become an event. The stream went on without them; a person decides.
create table outbox_set_aside (
  id           bigint generated always as identity primary key,
  lsn          pg_lsn not null unique,      -- a message is set aside once, however often it is read
  reason       text not null,
  detail       text not null,
  content      bytea not null,
  set_aside_at timestamptz not null default now()
);
