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

-- Put together as text, here and below: json_build_object and row_to_json take five times as long, and three of these
-- are written for every execution. A field that should not be absent makes the sum null, and row_to_json says which.
create function outbox_to_wal() returns trigger language plpgsql as $$
begin
  perform pg_logical_emit_message(true, 'sluice.outbox', coalesce(
    '{"event_id":' || to_json(new.event_id) || ',"execution_id":"' || new.execution_id || '","workspace_id":' || to_json(new.workspace_id)
      || ',"kind":"' || new.kind || '","at":' || to_json(new.at)
      || ',"traceparent":' || coalesce(to_json(new.traceparent)::text, 'null') || ',"data":' || new.data || '}',
    row_to_json(new)::text));
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
  select ('{"id":"' || id || '","workspaceId":' || to_json(workspace_id) || ',"definitionId":' || to_json(definition_id)
          || ',"status":"' || status || '","at":"' || rfc3339(at) || '","attempts":' || attempts
          || coalesce(',"' || more_name || '":' || more, '') || '}')::json
$$;

-- The workflow in it: with its result, or else its error, where it has one.
create function workflow_of_event(id uuid, run_id text, status text, result json default null, error text default null)
returns json language sql stable as $$
  select ('{"workflowId":"execution-' || id || '","runId":' || coalesce(to_json(run_id)::text, 'null') || ',"status":"' || status || '"'
          || coalesce(',"result":' || result, ',"error":' || to_json(error), '') || '}')::json
$$;

-- For the periodic jobs of recovery-service.
create table shedlock (
  name       text primary key,
  lock_until timestamptz not null,
  locked_at  timestamptz not null,
  locked_by  text not null
);
