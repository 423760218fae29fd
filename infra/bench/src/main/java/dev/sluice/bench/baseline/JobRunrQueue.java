package dev.sluice.bench.baseline;

import dev.sluice.bench.stack.Tables;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/**
 * The open source edition, enqueued in bulk. It polls every 5 seconds at the most often and fetches
 * more when its workers run dry; its server is started after the enqueue, so that no poll is waited
 * for.
 */
public final class JobRunrQueue implements OtherQueue {
  /** JobRunr makes the handler by itself, so this is how it tells. */
  private static volatile CountDownLatch left = new CountDownLatch(0);

  private final JobRequestScheduler scheduler;

  /** Does nothing. */
  public record Noop(int n) implements JobRequest {
    @Override
    public Class<Handler> getJobRequestHandler() {
      return Handler.class;
    }
  }

  /** Counts. */
  public static final class Handler implements JobRequestHandler<Noop> {
    @Override
    public void run(Noop request) {
      left.countDown();
    }
  }

  public JobRunrQueue(Tables tables, int workers) {
    scheduler =
        JobRunr.configure()
            .useStorageProvider(new PostgresStorageProvider(tables.pool()))
            .useBackgroundJobServer(
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                    .andPollInterval(Duration.ofSeconds(5))
                    .andWorkerCount(workers),
                false)
            .initialize()
            .getJobRequestScheduler();
  }

  @Override
  public double rate(int items) throws InterruptedException {
    left = new CountDownLatch(items);
    long began = System.nanoTime();
    scheduler.enqueue(IntStream.range(0, items).mapToObj(Noop::new));
    JobRunr.getBackgroundJobServer().start();
    if (!left.await(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException("JobRunr did not run all within two minutes");
    }
    return items / ((System.nanoTime() - began) / 1e9);
  }

  @Override
  public void close() {
    JobRunr.destroy();
  }
}
