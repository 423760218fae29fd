-- The same guards, after the row was written instead of before. PostgreSQL locks a row of its own accord, and writes that
-- to its log, before it so much as looks at the condition of a trigger that fires before an update; all those that run all
-- day paid for it. Refused is refused: the statement and its transaction come to nothing either way.
drop trigger queue_transition on workflow_execution_queue;
create trigger queue_transition after update of state on workflow_execution_queue
  for each row when (old.state <> new.state and (old.state, new.state) not in (
    ('PENDING', 'CLAIMED'), ('CLAIMED', 'DISPATCHED'), ('CLAIMED', 'PENDING'), ('CLAIMED', 'FAILED'),
    ('PENDING', 'FAILED'), ('PENDING', 'CANCELLED'), ('PENDING', 'EXPIRED'), ('FAILED', 'PENDING')))
  execute function refuse_transition();

drop trigger execution_closed_once on workflow_execution;
create trigger execution_closed_once after update of status on workflow_execution
  for each row when (old.status <> 'RUNNING' and old.status <> new.status)
  execute function refuse_transition_of_execution();
