package dev.sluice.dispatcher.intake;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A large batch is stored in parts, side by side, since a statement has one processor of
 * PostgreSQL. What belongs to one workspace stays in one part and in its order.
 */
final class Parts {
  private static final int LARGEST = 256;
  private static final int IDLE_SECONDS = 10;

  private final ExecutorService threads;

  /**
   * @param atATime how many parts are worked on at a time
   */
  Parts(int atATime) {
    var pool =
        new ThreadPoolExecutor(
            atATime,
            atATime,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("sluice-intake-part-", 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
    threads = pool;
  }

  /**
   * Returns when all parts are done. Where some fail, the others are done all the same, and then
   * one of the failures is thrown.
   */
  <T> void each(List<T> batch, Function<T, String> workspaceOf, Consumer<List<T>> step)
      throws InterruptedException {
    if (batch.size() <= LARGEST) {
      step.accept(batch);
      return;
    }
    int parts = Math.ceilDiv(batch.size(), LARGEST);
    var steps = new ArrayList<Callable<@Nullable Void>>();
    for (List<T> part :
        batch.stream()
            .collect(groupingBy(one -> Math.floorMod(workspaceOf.apply(one).hashCode(), parts)))
            .values()) {
      steps.add(
          () -> {
            step.accept(part);
            return null;
          });
    }
    ExecutionException failure = null;
    for (Future<?> done : threads.invokeAll(steps)) {
      try {
        done.get();
      } catch (ExecutionException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failure.getCause());
    }
  }
}
