-- Rules are read anew by every statement that writes (V108), and "in (…)" is kept as a list of words that is made an array each
-- time. Said as an array they are half as long and need no making: 4 % of what hand_over takes, 5 % of a write-back of one.
alter table workflow_execution_queue
  drop constraint workflow_execution_queue_state_check,
  add constraint workflow_execution_queue_state_check
    check (state = any ('{PENDING, CLAIMED, DISPATCHED, FAILED, CANCELLED, EXPIRED}')),
  drop constraint workflow_execution_queue_gate_check,
  add constraint workflow_execution_queue_gate_check check (gate = any ('{ready, delayed, parked}')),
  drop constraint workflow_execution_queue_parked_on_check,
  add constraint workflow_execution_queue_parked_on_check check (parked_on = any ('{partition, definition, limit, paused}')),
  drop constraint workflow_execution_queue_check4,
  add constraint workflow_execution_queue_ended_at_check
    check ((state = any ('{FAILED, CANCELLED, EXPIRED}')) = (ended_at is not null));

alter table workflow_execution
  drop constraint workflow_execution_status_check,
  add constraint workflow_execution_status_check
    check (status = any ('{RUNNING, COMPLETED, FAILED, CANCELED, TERMINATED, TIMED_OUT, NOT_FOUND}'));
