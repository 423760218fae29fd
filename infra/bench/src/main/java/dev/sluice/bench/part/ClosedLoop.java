package dev.sluice.bench.part;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A fixed number of callers, each of which waits for its answer before it asks again. */
final class ClosedLoop {
  private ClosedLoop() {}

  /** Returns when it is answered, and gives up by itself when it is not. */
  interface Call {
    void make(int n) throws Exception;
  }

  /** How many a second; the first that fails ends it, since there is no figure then. */
  static double rate(int callers, int count, Call call) throws InterruptedException {
    var next = new AtomicInteger();
    long began = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      List<Future<Integer>> running =
          IntStream.range(0, callers)
              .mapToObj(caller -> threads.submit(() -> callInTurn(next, count, call)))
              .toList();
      int made = 0;
      for (Future<Integer> caller : running) {
        made += caller.get();
      }
      return made / ((System.nanoTime() - began) / 1e9);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a call failed, so there is no figure", e.getCause());
    }
  }

  /** How many this one made. */
  private static int callInTurn(AtomicInteger next, int count, Call call) throws Exception {
    int made = 0;
    for (int n; (n = next.getAndIncrement()) < count; made++) {
      try {
        call.make(n);
      } catch (Exception e) {
        next.set(count); // the others need not go on
        throw e;
      }
    }
    return made;
  }
}
