package dev.sluice.dispatcher.simulator;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** An executor whose thread is the simulation: a task runs when the scheduler picks it. */
public final class ManualTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private record Task(long at, long number, Runnable work) {}

  private final Clock clock;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private long numbers;

  /** Time passes only when the simulation says so. */
  public static final class Clock {
    private long nanos = 1_000_000_000_000L;

    public long nanos() {
      return nanos;
    }

    public void advance(long millis) {
      nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  public ManualTimer(Clock clock) {
    this.clock = clock;
  }

  public boolean hasDue() {
    return !tasks.isEmpty() && tasks.peek().at() <= clock.nanos();
  }

  public void runNext() {
    tasks.remove().work().run();
  }

  private ScheduledFuture<?> add(Runnable work, long delay, TimeUnit unit) {
    tasks.add(new Task(clock.nanos() + unit.toNanos(delay), numbers++, work));
    return new Ticket();
  }

  @Override
  public void execute(Runnable command) {
    add(command, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(command, delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return add(
        () -> {
          command.run();
          scheduleWithFixedDelay(command, delay, delay, unit);
        },
        initialDelay,
        unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("only tasks without a result");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("only with a fixed delay");
  }

  @Override
  public void shutdown() {
    tasks.clear();
  }

  @Override
  public List<Runnable> shutdownNow() {
    tasks.clear();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }

  /** Nobody looks at it. */
  private static final class Ticket extends FutureTask<Void> implements ScheduledFuture<Void> {
    Ticket() {
      super(() -> null);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
