package dev.sluice.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine's time, as Linux gives it out. Whoever is woken goes to the processor of the one who
 * woke him, and shares it equally with those who are there; who comes by an alarm goes to one that
 * is idle, or to each in turn. A processor with nothing to do takes somebody over from another only
 * when he has been there for a while ({@code sched_migration_cost}): until then he counts as warm
 * there. So who is handed over a dozen times waits, though there may be a processor that is idle.
 */
final class Processors {
  private static final long MOST_EVENTS = 50_000_000;

  /** Linux's default for {@code sched_migration_cost_ns}. */
  private static final double WARM = 0.0005;

  private final List<List<Job>> processors = new ArrayList<>();
  private final double speedOfOne;
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingDouble(Alarm::at).thenComparingLong(Alarm::number));
  private double now;
  private long numbers;
  private int turn;

  /** Where the one whose work is just over has had it; null after an alarm. */
  private @Nullable List<Job> waker;

  private static final class Job {
    double left;
    final double since;
    final Runnable then;

    Job(double left, double since, Runnable then) {
      this.left = left;
      this.since = since;
      this.then = then;
    }
  }

  private record Alarm(double at, long number, Runnable then) {}

  /** Something that happens at a time. */
  private record Event(double at, Runnable what) {}

  Processors(double cores) {
    int count = Math.max(1, (int) Math.round(cores));
    speedOfOne = Math.min(1, cores / count);
    for (int i = 0; i < count; i++) {
      processors.add(new ArrayList<>());
    }
  }

  double now() {
    return now;
  }

  void run(Work work, Runnable then) {
    if (work.aside() > 0) {
      add(idleOrInTurn(), work.aside(), () -> {});
    }
    if (work.cpu() <= 0) {
      after(work.idle(), then);
    } else {
      add(
          waker == null ? idleOrInTurn() : waker,
          work.cpu(),
          work.idle() <= 0 ? then : () -> after(work.idle(), then));
    }
  }

  private void add(List<Job> processor, double work, Runnable then) {
    processor.add(new Job(work, now, then));
  }

  private List<Job> idleOrInTurn() {
    List<Job> idle = idle();
    if (idle != null) {
      return idle;
    }
    turn = (turn + 1) % processors.size();
    return processors.get(turn);
  }

  private @Nullable List<Job> idle() {
    return processors.stream().filter(List::isEmpty).findFirst().orElse(null);
  }

  void after(double seconds, Runnable then) {
    alarms.add(new Alarm(now + seconds, numbers++, then));
  }

  /** Whether it came to that, and did not run out of things to do. */
  boolean until(BooleanSupplier done) {
    for (long events = 0; events < MOST_EVENTS; events++) {
      if (done.getAsBoolean()) {
        return true;
      }
      Event next = next();
      if (next == null) {
        return false;
      }
      pass(next.at() - now);
      now = next.at();
      next.what().run();
      waker = null;
    }
    return false;
  }

  private @Nullable Event next() {
    Alarm alarm = alarms.peek();
    Event first = alarm == null ? null : new Event(alarm.at(), () -> ring(alarm));
    for (List<Job> processor : processors) {
      for (Job job : processor) {
        first = earlier(first, now + job.left / speed(processor), () -> end(job, processor));
      }
    }
    List<Job> idle = idle();
    if (idle != null) {
      for (List<Job> crowded : processors) {
        if (crowded.size() > 1) {
          Job oldest = crowded.getFirst();
          double at = Math.max(now, oldest.since + WARM);
          first = earlier(first, at, () -> move(oldest, crowded, idle));
        }
      }
    }
    return first;
  }

  private static Event earlier(@Nullable Event first, double at, Runnable what) {
    return first == null || at < first.at() ? new Event(at, what) : first;
  }

  private void ring(Alarm alarm) {
    alarms.remove();
    alarm.then().run();
  }

  private void end(Job job, List<Job> processor) {
    processor.remove(job);
    waker = processor;
    job.then.run();
  }

  private static void move(Job job, List<Job> from, List<Job> to) {
    from.remove(job);
    to.add(job);
  }

  private double speed(List<Job> processor) {
    return speedOfOne / processor.size();
  }

  private void pass(double seconds) {
    for (List<Job> processor : processors) {
      double done = processor.isEmpty() ? 0 : seconds * speed(processor);
      processor.forEach(job -> job.left -= done);
    }
  }
}
