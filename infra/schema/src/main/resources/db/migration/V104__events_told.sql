-- The same message in the log without the outbox's trigger, for the statements that run all day: PostgreSQL reads a
-- trigger's condition from its catalogue and plans it for every statement that may fire it, a tenth of what a small batch
-- costs. This is planned once, with the statement that calls it.
create function an_event_lacks_a_field() returns text language plpgsql as $$
begin
  raise exception 'a lifecycle event lacks a field' using errcode = 'not_null_violation';
end $$;

create function tell(event_id text, execution_id uuid, workspace_id text, kind text, at timestamptz, traceparent text, data json)
returns pg_lsn language sql volatile as $$
  select pg_logical_emit_message(true, 'sluice.outbox', coalesce(
    '{"event_id":' || to_json(event_id)::text || ',"execution_id":"' || execution_id || '","workspace_id":' || to_json(workspace_id)::text
      || ',"kind":"' || kind || '","at":' || to_json(at)::text
      || ',"traceparent":' || coalesce(to_json(traceparent)::text, 'null') || ',"data":' || data::text || '}',
    an_event_lacks_a_field()))
$$;
