-- One index of all rows by workspace, for lists alone, got an entry from each of the three versions that a row has in its life.
-- Lists go by state now, newest first in each: what is ready by the index that admission reads, a priority at a time, and only
-- what was started has an entry of its own for it.
-- Said by other columns than the state and the gate, so that no statement that is planned while the queue is empty takes these
-- for the indexes it is meant to go by.
create index queue_started on workflow_execution_queue (workspace_id, seq) where dispatched_at is not null;
create index queue_aside   on workflow_execution_queue (workspace_id, seq) where coalesce(parked_on, '') <> '';

drop index queue_delayed_of;
create index queue_delayed_of on workflow_execution_queue (workspace_id, seq) where state = 'PENDING' and gate = 'delayed';

drop index queue_listing;
