-- The same guard (V105), as one list. A trigger's condition is kept as a tree, written out, and read anew by every statement
-- that may fire it: eight pairs of comparisons were 7,900 characters, more than half of what reading all of the table's
-- rules took, in each write-back and each claim of a single item. This is a fifth of it.
drop trigger queue_transition on workflow_execution_queue;
create trigger queue_transition after update of state on workflow_execution_queue
  for each row when (old.state <> new.state and old.state || '>' || new.state <> all (
    '{PENDING>CLAIMED, CLAIMED>DISPATCHED, CLAIMED>PENDING, CLAIMED>FAILED,
      PENDING>FAILED, PENDING>CANCELLED, PENDING>EXPIRED, FAILED>PENDING}'))
  execute function refuse_transition();
