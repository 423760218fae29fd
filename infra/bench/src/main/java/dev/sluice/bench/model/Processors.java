package dev.sluice.bench.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A machine's time: those who want a processor share the processors equally, none has more than
 * one; those who wait are woken at their time.
 */
final class Processors {
  private static final long MOST_EVENTS = 50_000_000;

  private final double cores;
  private final List<Job> running = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingDouble(Alarm::at).thenComparingLong(Alarm::number));
  private double now;
  private long numbers;

  private static final class Job {
    double left;
    final Runnable then;

    Job(double left, Runnable then) {
      this.left = left;
      this.then = then;
    }
  }

  private record Alarm(double at, long number, Runnable then) {}

  Processors(double cores) {
    this.cores = cores;
  }

  double now() {
    return now;
  }

  void run(Work work, Runnable then) {
    if (work.aside() > 0) {
      running.add(new Job(work.aside(), () -> {}));
    }
    if (work.cpu() <= 0) {
      after(work.idle(), then);
    } else {
      running.add(new Job(work.cpu(), work.idle() <= 0 ? then : () -> after(work.idle(), then)));
    }
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
      if (running.isEmpty() && alarms.isEmpty()) {
        return false;
      }
      next();
    }
    return false;
  }

  private void next() {
    double speed = Math.min(1, cores / Math.max(1, running.size()));
    Job first = null;
    for (Job job : running) {
      first = first == null || job.left < first.left ? job : first;
    }
    double ends = first == null ? Double.POSITIVE_INFINITY : now + first.left / speed;
    Alarm alarm = alarms.peek();
    if (alarm != null && alarm.at() <= ends) {
      pass(alarm.at() - now, speed);
      now = alarm.at();
      alarms.remove();
      alarm.then().run();
    } else if (first != null) {
      pass(ends - now, speed);
      now = ends;
      running.remove(first);
      first.then.run();
    }
  }

  private void pass(double seconds, double speed) {
    for (Job job : running) {
      job.left -= seconds * speed;
    }
  }
}
