package dev.sluice.bench.part;

import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sends by a timetable made beforehand, whatever becomes of what was sent before, and counts from
 * the time in the timetable: a stall delays nothing it should not, and hides nothing.
 */
final class OpenLoop {
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(120);
  private static final int DIGITS = 3;

  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final ConcurrentHashMap<String, Long> due = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param due when it was to be sent, by {@link System#nanoTime}
   */
  private record Answer(long due, long latency) {}

  /** For the sum of several loops, too. */
  static Histogram noLatencies() {
    return new Histogram(LONGEST, DIGITS);
  }

  /** To be called when a workflow is started. */
  void started(String workflowId, long nanos) {
    Long since = due.remove(workflowId);
    if (since != null) {
      answers.add(new Answer(since, Math.clamp(nanos - since, 1, LONGEST)));
      answered.incrementAndGet();
    }
  }

  /** One will never be answered, so there is no figure. */
  void failed(Throwable why) {
    failure.compareAndSet(null, why);
  }

  /** Sends one; it may be answered before this returns. */
  interface Send {
    void send(int n);
  }

  /**
   * @param workflowIdOf known before anything is sent
   */
  void run(double perSecond, int count, long seed, IntFunction<String> workflowIdOf, Send sender) {
    long[] timetable = timetable(perSecond, count, seed);
    long began = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    for (int n = 0; n < count; n++) {
      long at = began + timetable[n];
      due.put(workflowIdOf.apply(n), at);
      for (long left; (left = at - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(left);
      }
      sender.send(n);
    }
  }

  /** Produced → started, of these requests at this rate. */
  static Histogram latency(
      StartProbe probe,
      Requests requests,
      List<Requests.Request> batch,
      double perSecond,
      int seed) {
    var loop = new OpenLoop();
    probe.listen(loop::started);
    loop.run(
        perSecond,
        batch.size(),
        seed,
        n -> batch.get(n).workflowId(),
        n -> requests.send(batch.get(n)));
    return loop.result(batch.size());
  }

  /** Waits until all were started; what was not by then has no figure, so that is an error. */
  Histogram result(int count) {
    await(count);
    return latencies(due -> true);
  }

  /** Of those that were due at such a time, when there is a {@link #result}. */
  Histogram latencies(LongPredicate dueThen) {
    Histogram latencies = noLatencies();
    answers.stream()
        .filter(answer -> dueThen.test(answer.due()))
        .forEach(answer -> latencies.recordValue(answer.latency()));
    return latencies;
  }

  private void await(int count) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (answered.get() < count) {
      if (failure.get() != null) {
        throw new IllegalStateException("one failed", failure.get());
      }
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException(
            "%d of %d were started in time".formatted(answered.get(), count));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Nanoseconds from the start; arrivals as independent callers make them (Poisson). */
  static long[] timetable(double perSecond, int count, long seed) {
    var random = new Random(seed);
    long[] times = new long[count];
    double at = 0;
    for (int n = 0; n < count; n++) {
      at += -Math.log(1 - random.nextDouble()) / perSecond * 1e9;
      times[n] = (long) at;
    }
    return times;
  }
}
