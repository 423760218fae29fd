package dev.sluice.bench.baseline;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** As its own performance notes advise: lock-and-fetch polling, inserts in batches. */
public final class DbSchedulerQueue implements OtherQueue {
  private static final String SCHEMA =
      """
      create table scheduled_tasks (
        task_name text not null, task_instance text not null, task_data bytea, execution_time timestamptz not null,
        picked boolean not null, picked_by text, last_success timestamptz, last_failure timestamptz,
        consecutive_failures int, last_heartbeat timestamptz, version bigint not null, priority smallint,
        state text, primary key (task_name, task_instance));
      create index execution_time_idx on scheduled_tasks (execution_time);
      create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
      """;
  private static final int BATCH = 1_000;

  private final Scheduler scheduler;
  private final OneTimeTask<String> task;
  private volatile CountDownLatch left = new CountDownLatch(0);

  public DbSchedulerQueue(Tables tables, int workers) {
    tables.jdbc().execute(SCHEMA);
    task = Tasks.oneTime("noop", String.class).execute((instance, context) -> left.countDown());
    scheduler =
        Scheduler.create(tables.pool(), task)
            .threads(workers)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(100))
            .build();
    scheduler.start();
  }

  @Override
  public double rate(int items) throws InterruptedException {
    left = new CountDownLatch(items);
    long began = System.nanoTime();
    for (int from = 0; from < items; from += BATCH) {
      List<TaskInstance<?>> batch = new ArrayList<>();
      for (int i = from; i < Math.min(items, from + BATCH); i++) {
        batch.add(task.instance(Integer.toString(i), Requests.INPUT));
      }
      scheduler.scheduleBatch(batch, Instant.now());
    }
    if (!left.await(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException("db-scheduler did not run all within two minutes");
    }
    return items / ((System.nanoTime() - began) / 1e9);
  }

  @Override
  public void close() {
    scheduler.stop();
  }
}
