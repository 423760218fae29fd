-- Rows past their retention are found by when they ended, a few at a time, however large the tables are.
create index execution_closed on workflow_execution (closed_at)        where status <> 'RUNNING';
create index queue_over       on workflow_execution_queue (ended_at)   where ended_at is not null;
