package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.model.Cost;
import dev.sluice.bench.model.Costs;
import dev.sluice.bench.model.EnterCost;
import dev.sluice.bench.model.KafkaCost;
import dev.sluice.bench.model.Line;
import dev.sluice.bench.model.StartCost;
import dev.sluice.bench.model.Work;
import dev.sluice.bench.part.StatementCosts.Batch;
import dev.sluice.bench.report.Statistics;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.LeftForUs;
import dev.sluice.bench.stack.Tables;
import dev.sluice.dispatcher.ledger.EnterLedger;
import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What each step costs by itself, pass by pass. */
final class CostPasses implements AutoCloseable {
  /** Of a batch, for the rows that people read. */
  private static final int TYPICAL = 200;

  private static final int STARTS = 3_000;
  private static final int AT_A_TIME = 32;
  private static final int ANSWERED_AT_ONCE = 20_000;
  private static final List<Batch> BATCHES =
      List.of(
          new Batch(1, 1, 120),
          new Batch(10, 1, 80),
          new Batch(10, 10, 20),
          new Batch(100, 1, 20),
          new Batch(10, 40, 8),
          new Batch(200, 2, 8));
  private static final int[][] RECORDS = {{1, 300}, {10, 150}, {100, 40}, {400, 20}};
  private static final int COMMITS = 400;
  private static final int FETCHES = 200;

  private final Bench bench;
  private final StatementCosts statements;
  private final KafkaCosts carrier;
  private final CostSamples intake = new CostSamples("intake", true);
  private final CostSamples enterFew = new CostSamples("enter_few", false);
  private final CostSamples enterMany = new CostSamples("enter_many", true);
  private final CostSamples claim = new CostSamples("claim", true);
  private final CostSamples settle = new CostSamples("settle", true);
  private final CostSamples kafka = new CostSamples("kafka", false);
  private final CostSamples commit = new CostSamples("commit", false);
  private final List<Double> fetch = new ArrayList<>();
  private final List<Double> fetchCpu = new ArrayList<>();
  private final List<Double> startCpu = new ArrayList<>();
  private final List<Double> startAlone = new ArrayList<>();
  private final List<Double> startAloneCpu = new ArrayList<>();
  private final List<Double> startRate = new ArrayList<>();
  private final List<Double> atOnceCpu = new ArrayList<>();
  private final List<Double> rawCpu = new ArrayList<>();
  private final List<Double> cores = new ArrayList<>();
  private OptionalDouble background = OptionalDouble.empty();
  private boolean warm;

  CostPasses(Bench bench) throws InterruptedException {
    this.bench = bench;
    statements = new StatementCosts(bench.servers(), Idle.pool(bench));
    carrier = new KafkaCosts(bench.servers());
  }

  /** The first one only warms up. */
  void pass() throws InterruptedException {
    var left = new LeftForUs();
    statements();
    kafka();
    starts();
    if (!warm) {
      warm = true;
      bench.console().say("costs (warm-up)");
      return;
    }
    cores.add(left.cores());
    bench.console().say("costs, %.2f cores were ours", left.cores());
  }

  private void statements() {
    for (Batch batch : BATCHES) {
      var taken = statements.measure(batch);
      if (warm) {
        intake.add(batch.items(), batch.workspaces(), taken.intake());
        CostSamples enter = batch.items() <= EnterLedger.FEW ? enterFew : enterMany;
        enter.add(batch.items(), batch.workspaces(), taken.enter());
        claim.add(batch.items(), batch.workspaces(), taken.claim());
        settle.add(batch.items(), batch.workspaces(), taken.settle());
      }
    }
  }

  private void kafka() {
    for (int[] records : RECORDS) {
      Meter.Taken carried = carrier.carry(records[0], records[1]);
      if (warm) {
        kafka.add(records[0], 1, carried);
      }
    }
    Meter.Taken committed = carrier.commit(COMMITS);
    Meter.Taken fetched = carrier.fetch(FETCHES);
    if (warm) {
      fetch.add(fetched.wall());
      fetchCpu.add(fetched.jvm()); // one is too short for the clock of a process
      commit.add(1, 1, committed);
      commit.add(400, 1, committed); // whatever is in the batch
    }
  }

  private void starts() throws InterruptedException {
    Tables tables = statements.tables();
    StartCosts.Rush rush;
    StartCosts.Rush atOnce;
    Meter.Taken alone;
    double raw;
    try (var temporal = LocalTemporal.inMemory(0);
        var asked = new StartCosts(tables, temporal.address(), false);
        var notAsked = new StartCosts(tables, temporal.address(), true)) {
      var _ = asked.rush(DispatchRound.WORKSPACES);
      var _ = notAsked.rush(DispatchRound.WORKSPACES);
      alone = asked.alone(400);
      rush = asked.rush(STARTS);
      atOnce = notAsked.rush(ANSWERED_AT_ONCE);
    }
    try (var temporal = LocalTemporal.inMemory(0);
        var starts = RawStarts.with(temporal.address())) {
      var _ = starts.rate(DispatchRound.WORKSPACES, 32);
      double cpu = CpuTime.seconds();
      var _ = starts.rate(STARTS, 32);
      raw = (CpuTime.seconds() - cpu) / STARTS;
    }
    if (warm) {
      startCpu.add(rush.cpuSeconds());
      startAlone.add(alone.wall());
      startAloneCpu.add(alone.cpu());
      startRate.add(rush.perSecond());
      atOnceCpu.add(atOnce.cpuSeconds());
      rawCpu.add(raw);
    }
  }

  /** Adds the rows. Answers the medians of all passes. */
  Costs show() {
    var rows = bench.rows();
    List.of(kafka, commit, intake, enterFew, enterMany, claim, settle)
        .forEach(step -> step.show(rows));
    rows.add("cost.kafka_fetch_ms", "ms", millis(fetch));
    rows.add("cost.kafka_fetch_cpu_ms", "ms", millis(fetchCpu));
    rows.add("cost.start_cpu_ms", "ms", millis(startCpu));
    rows.add("cost.start_alone_ms", "ms", millis(startAlone));
    rows.add("cost.start_alone_cpu_ms", "ms", millis(startAloneCpu));
    rows.add("cost.start_rate_per_second", "starts/s", startRate);
    rows.add("cost.start_at_once_ms", "ms", millis(atOnceCpu));
    rows.add("cost.raw_start_cpu_ms", "ms", millis(rawCpu));
    rows.add("cost.background_cores", "cores", List.of(background()));
    rows.add("cost.cores_left_for_us", "cores", cores);
    double jvm = 0;
    double all = 0;
    for (CostSamples step : List.of(enterMany, settle)) {
      jvm += step.jvm().at(TYPICAL, TYPICAL) / TYPICAL;
      all += step.cost().cpu().at(TYPICAL, TYPICAL) / TYPICAL;
    }
    rows.add("cost.statements_jvm_ms_per_item_of_200", "ms", List.of(jvm * 1000));
    rows.add("cost.postgres_ms_per_item_of_200", "ms", List.of((all - jvm) * 1000));
    return of(0, cores.size() - 1);
  }

  /** Of the passes from the one to the other alone; the first that counts has number 0. */
  Costs of(int firstPass, int lastPass) {
    return new Costs(
        Runtime.getRuntime().availableProcessors(),
        background(),
        kafka(firstPass, lastPass),
        intake.of(firstPass, lastPass).cost(),
        new EnterCost(
            enterFew.of(firstPass, lastPass).cost(), enterMany.of(firstPass, lastPass).cost()),
        claim.of(firstPass, lastPass).cost(),
        settle.of(firstPass, lastPass).cost(),
        start(firstPass, lastPass),
        new Work(median(atOnceCpu, firstPass, lastPass), 0));
  }

  private KafkaCost kafka(int firstPass, int lastPass) {
    return KafkaCost.of(
        kafka.of(firstPass, lastPass).cost(),
        Work.of(median(fetchCpu, firstPass, lastPass), median(fetch, firstPass, lastPass)),
        commit.of(firstPass, lastPass).cost());
  }

  /** Once for all passes. */
  private double background() {
    if (background.isEmpty()) {
      background = OptionalDouble.of(Idle.cores(bench));
    }
    return background.getAsDouble();
  }

  /** The line through one alone and as many as the dispatcher has at a time. */
  private StartCost start(int firstPass, int lastPass) {
    double alone = median(startAloneCpu, firstPass, lastPass);
    double among = median(startCpu, firstPass, lastPass);
    double shared = Math.max(0, alone - among) * AT_A_TIME / (AT_A_TIME - 1);
    var each =
        new Cost(
            new Line(shared, Math.max(alone, among) - shared, 0),
            new Line(median(startAlone, firstPass, lastPass), 0, 0));
    return new StartCost(each, among * median(startRate, firstPass, lastPass));
  }

  private static double median(List<Double> passes, int firstPass, int lastPass) {
    return Statistics.median(passes.subList(firstPass, lastPass + 1));
  }

  private static List<Double> millis(List<Double> seconds) {
    return seconds.stream().map(s -> s * 1000).toList();
  }

  @Override
  public void close() {
    carrier.close();
    statements.close();
  }
}
