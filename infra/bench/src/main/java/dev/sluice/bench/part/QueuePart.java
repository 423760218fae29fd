package dev.sluice.bench.part;

import dev.sluice.bench.baseline.DbSchedulerQueue;
import dev.sluice.bench.baseline.JobRunrQueue;
import dev.sluice.bench.baseline.OtherQueue;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Only the queue: in, given out, written back. What is started returns at once, here and there. */
final class QueuePart implements Part {
  private static final int ROUNDS = 5;

  /** Long enough that how each begins and ends is little of it. */
  private static final int OURS = 30_000;

  private static final int DB_SCHEDULERS = 12_000;
  private static final int JOB_RUNRS = 4_000;
  private static final int WARM_UP = 4_000;

  /** Of all three: what runs for years is not measured while it is being compiled. */
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(60);

  private static final int CONNECTIONS = 40;
  private static final int[] WORKERS = {8, 16, 32};
  private static final int TRIAL = 1_500;

  /** Opens one of the others with so many workers. */
  private interface Opener {
    OtherQueue open(Tables tables, int workers);
  }

  private record Result(double perSecond, double cpuMillisPerItem) {}

  /** The rounds of one queue. */
  private static final class Series {
    final List<Double> rates = new ArrayList<>();
    final List<Double> cpu = new ArrayList<>();

    void add(Result result) {
      rates.add(result.perSecond());
      cpu.add(result.cpuMillisPerItem());
    }

    void show(Bench bench, String name) {
      bench.rows().add("queue." + name + "rate_per_second", "items/s", rates);
      bench.rows().add("queue." + name + "cpu_ms_per_item", "ms", cpu);
    }
  }

  @Override
  public void run(Bench bench) throws InterruptedException {
    int dbSchedulerWorkers = best(bench, "db-scheduler", DbSchedulerQueue::new);
    int jobRunrWorkers = best(bench, "JobRunr", JobRunrQueue::new);
    var ours = new Series();
    var dbSchedulers = new Series();
    var jobRunrs = new Series();
    try (var temporal = LocalTemporal.inMemory(0);
        var dispatcher =
            new StandingDispatcher(
                bench.servers(), temporal.address(), true, DispatchRound.WORKSPACES)) {
      Compiler.bringToRest(
          () -> {
            var _ = sluice(dispatcher, WARM_UP);
            var _ = rate(bench, DbSchedulerQueue::new, dbSchedulerWorkers, WARM_UP);
            var _ = rate(bench, JobRunrQueue::new, jobRunrWorkers, WARM_UP);
          },
          LONGEST_WARM_UP);
      Rounds.run(
          bench,
          "queue",
          ROUNDS,
          round -> {
            Result sluice = sluice(dispatcher, OURS);
            Result dbScheduler =
                rate(bench, DbSchedulerQueue::new, dbSchedulerWorkers, DB_SCHEDULERS);
            Result jobRunr = rate(bench, JobRunrQueue::new, jobRunrWorkers, JOB_RUNRS);
            bench
                .console()
                .say(
                    "queue: Sluice %,.0f/s (CPU %.2f ms an item), db-scheduler %,.0f/s (%.2f),"
                        + " JobRunr %,.0f/s (%.2f)",
                    sluice.perSecond(),
                    sluice.cpuMillisPerItem(),
                    dbScheduler.perSecond(),
                    dbScheduler.cpuMillisPerItem(),
                    jobRunr.perSecond(),
                    jobRunr.cpuMillisPerItem());
            return () -> {
              ours.add(sluice);
              dbSchedulers.add(dbScheduler);
              jobRunrs.add(jobRunr);
            };
          });
    }
    bench.rows().add("queue.vs_db_scheduler", "ratio", ratios(ours, dbSchedulers));
    bench.rows().add("queue.vs_jobrunr", "ratio", ratios(ours, jobRunrs));
    ours.show(bench, "");
    dbSchedulers.show(bench, "db_scheduler_");
    jobRunrs.show(bench, "jobrunr_");
  }

  private static List<Double> ratios(Series ours, Series theirs) {
    var ratios = new ArrayList<Double>();
    for (int i = 0; i < ours.rates.size(); i++) {
      ratios.add(ours.rates.get(i) / theirs.rates.get(i));
    }
    return ratios;
  }

  private static Result sluice(StandingDispatcher dispatcher, int items) {
    var round = dispatcher.round(items);
    dispatcher.forgetAll();
    return new Result(round.perSecond(), round.cpuMillisPerItem());
  }

  private static int best(Bench bench, String name, Opener opener) throws InterruptedException {
    var _ = rate(bench, opener, WORKERS[0], TRIAL); // warm
    int best = WORKERS[0];
    double bestRate = 0;
    for (int workers : WORKERS) {
      double rate = rate(bench, opener, workers, TRIAL).perSecond();
      bench.console().say("%s, %d workers: %,.0f/s", name, workers, rate);
      if (rate > bestRate) {
        bestRate = rate;
        best = workers;
      }
    }
    return best;
  }

  private static Result rate(Bench bench, Opener opener, int workers, int items)
      throws InterruptedException {
    try (Tables tables = bench.servers().emptyTables(CONNECTIONS);
        OtherQueue queue = opener.open(tables, workers)) {
      double before = CpuTime.seconds();
      double rate = queue.rate(items);
      return new Result(rate, (CpuTime.seconds() - before) * 1000 / items);
    }
  }
}
