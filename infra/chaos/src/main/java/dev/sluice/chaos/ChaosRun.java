package dev.sluice.chaos;

import dev.sluice.chaos.fault.FaultKind;
import dev.sluice.chaos.fault.Faults;
import dev.sluice.chaos.fault.Schedule;
import dev.sluice.chaos.judge.Asked;
import dev.sluice.chaos.judge.Histories;
import dev.sluice.chaos.judge.Judge;
import dev.sluice.chaos.judge.Verdict;
import dev.sluice.chaos.load.Acknowledged;
import dev.sluice.chaos.load.Api;
import dev.sluice.chaos.load.Load;
import dev.sluice.chaos.load.Work;
import dev.sluice.chaos.load.Workspace;
import dev.sluice.chaos.stack.Await;
import dev.sluice.chaos.stack.Stack;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Load and faults for a while, then quiet, then the verdict. */
final class ChaosRun {
  static final int KILLS = 6;

  private static final Duration SETTLE_FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);

  private final Stack stack;
  private final Console console;
  private final long seed;
  private final List<Workspace> workspaces;
  private final Schedule schedule;
  private final Acknowledged acknowledged = new Acknowledged();

  private ChaosRun(Stack stack, Console console, long seed, double rate, Schedule schedule) {
    this.stack = stack;
    this.console = console;
    this.seed = seed;
    this.workspaces = Workspace.ofRun(rate);
    this.schedule = schedule;
  }

  static ChaosRun of(Stack stack, Console console, long seed, double rate) {
    return new ChaosRun(stack, console, seed, rate, Schedule.ofAll(seed));
  }

  /** The five faults of {@link FaultKind#SHORT}. */
  static ChaosRun brief(Stack stack, Console console, long seed, double rate) {
    return new ChaosRun(stack, console, seed, rate, Schedule.brief(seed));
  }

  /** {@link #KILLS} times kill -9 of a dispatcher, to see how long its workspaces stand still. */
  static ChaosRun ofKills(Stack stack, Console console, long seed, double rate) {
    return new ChaosRun(stack, console, seed, rate, Schedule.ofKills(seed));
  }

  Verdict runFor(double minutes) throws IOException {
    long end = (long) (minutes * 60e9);
    return run((faults, began) -> System.nanoTime() - began < end);
  }

  Verdict runFaults(int howMany) throws IOException {
    return run((faults, began) -> faults.done().size() < howMany);
  }

  /** Whether there is another fault. */
  private interface GoOn {
    boolean test(Faults faults, long began);
  }

  private Verdict run(GoOn goOn) throws IOException {
    stack.start();
    console.say(
        "ready: %s, %s"
            .formatted(
                stack.hasRealTemporal() ? "a real Temporal server" : "the in-memory Temporal",
                stack.usesCallbacks() ? "completion callbacks" : "long polls alone"));
    var temporal = Work.stubs(stack.temporalAddress());
    var api = new Api(stack.api());
    try (var work = new Work(stack.temporalAddress());
        var load = new Load(workspaces, api, stack.kafkaAddress(), acknowledged, work, seed);
        var faults =
            new Faults(stack, schedule, ids(), what -> console.say("  " + what), work::reconnect)) {
      load.prepare(Work.TYPE, Work.TASK_QUEUE);
      work.start();
      load.start();
      breakThings(faults, work, goOn);
      load.stop();
      Instant loadEnd = Instant.now();
      console.say("load and faults are off");
      boolean drained = new Drained(api, ids()).await(LONGEST_DRAIN);
      return judge(
          new Histories(temporal, stack.hasRealTemporal()), api, work, faults, loadEnd, drained);
    } finally {
      temporal.shutdownNow();
    }
  }

  private void breakThings(Faults faults, Work work, GoOn goOn) {
    ScheduledExecutorService ticker =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    var _ = ticker.scheduleAtFixedRate(() -> progress(faults, work), 10, 10, TimeUnit.SECONDS);
    try {
      long began = System.nanoTime();
      Await.pause(SETTLE_FIRST);
      while (goOn.test(faults, began)) {
        faults.next();
        Await.pause(schedule.between(3, 8));
      }
    } finally {
      ticker.shutdownNow();
    }
  }

  private void progress(Faults faults, Work work) {
    console.say(
        "acknowledged %d, started %d, open %d, last fault: %s"
            .formatted(acknowledged.size(), work.begun(), work.open(), faults.last()));
  }

  private Verdict judge(
      Histories histories, Api api, Work work, Faults faults, Instant loadEnd, boolean drained) {
    var judge =
        new Judge(acknowledged, Asked.read(stack.kafkaAddress()), histories.all(), histories::find);
    var sluice = new Statuses(api);
    judge.exactlyOnce(sluice::of, work.workflowsByName());
    judge.capacity(workspaces);
    judge.order();
    Verdict verdict = judge.verdict();
    verdict.mustBeNone("FAILED", sluice.failed(ids()));
    verdict.must("everything drained", drained ? "yes" : "no", "yes", drained);
    judge.faults(faults.done(), workspaces, loadEnd);
    return verdict;
  }

  private List<String> ids() {
    return workspaces.stream().map(Workspace::id).toList();
  }
}
