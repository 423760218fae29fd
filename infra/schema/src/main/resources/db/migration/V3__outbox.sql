-- Lifecycle events, written by dispatcher-service in the transaction that changes the row.
--
-- The table is always empty: its trigger turns an inserted row into a message in the write-ahead log,
-- from where Debezium takes it, and lets no row through. So there is nothing to delete, nothing to vacuum
-- and no index to keep, and a rolled back transaction still takes its events with it.
create table outbox (
  event_id     text not null,      -- stable, so that consumers can tell a repetition: {execution}:{revision}
  execution_id uuid not null,
  workspace_id text not null,
  kind         text not null,      -- pending, claimed, dispatched, closed, failed, cancelled, expired
  at           timestamptz not null default now(),
  traceparent  text,
  data         json not null       -- LifecycleEvent
);

create function outbox_to_wal() returns trigger language plpgsql as $$
begin
  perform pg_logical_emit_message(true, 'sluice.outbox', row_to_json(new)::text);
  return null;
end $$;

create trigger outbox_is_wal_only before insert on outbox for each row execute function outbox_to_wal();

create function rfc3339(t timestamptz) returns text language sql stable as $$
  select to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The data of a lifecycle event. 'more' is the workflow or the failure, under that name, or absent.
create function lifecycle_event(id uuid, workspace_id text, definition_id text, status text, at timestamptz,
                                attempts int, more_name text default null, more json default null)
returns json language sql stable as $$
  select case when more is null then
    json_build_object('id', id, 'workspaceId', workspace_id, 'definitionId', definition_id, 'status', status,
                      'at', rfc3339(at), 'attempts', attempts)
  else
    json_build_object('id', id, 'workspaceId', workspace_id, 'definitionId', definition_id, 'status', status,
                      'at', rfc3339(at), 'attempts', attempts, more_name, more)
  end
$$;

-- For the periodic jobs of recovery-service.
create table shedlock (
  name       text primary key,
  lock_until timestamptz not null,
  locked_at  timestamptz not null,
  locked_by  text not null
);
