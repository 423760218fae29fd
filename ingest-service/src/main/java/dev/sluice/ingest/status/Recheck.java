package dev.sluice.ingest.status;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** One query for all waiting ids together: the relay of events may be down or late. */
@Component
class Recheck implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Recheck.class);

  private final Waiters waiters;
  private final StatusRepository repository;
  private final StatusSettings settings;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ingest-recheck").factory());
  private @Nullable ScheduledFuture<?> schedule;

  Recheck(Waiters waiters, StatusRepository repository, StatusSettings settings) {
    this.waiters = waiters;
    this.repository = repository;
    this.settings = settings;
  }

  /** How many were found at their end. */
  int runOnce() {
    if (waiters.isEmpty()) {
      return 0;
    }
    var standing = repository.standing(List.copyOf(waiters.ids()));
    standing.forEach(waiters::wake);
    return (int) standing.values().stream().filter(ended -> ended).count();
  }

  @Override
  public void start() {
    long period = settings.recheck().toMillis();
    schedule = timer.scheduleWithFixedDelay(this::tick, period, period, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      runOnce();
    } catch (DataAccessException e) {
      // The waiters themselves answer 503 when their time is over and it is still away.
      log.atDebug().setCause(e).log("waiting executions not rechecked");
    }
  }

  @Override
  public void stop() {
    timer.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return schedule != null && !timer.isShutdown();
  }
}
