-- Whenever a table has been vacuumed or analyzed, which is every minute under load, PostgreSQL plans anew what each session
-- uses next. For these two functions that was 10 ms (20 on a busy machine) in which requests waited, most of it spent on
-- trying orders of eleven tables. They are written in the order in which they are to be joined; four at a time are enough.
alter function enter_few set join_collapse_limit = 4;
alter function hand_over set join_collapse_limit = 4;
