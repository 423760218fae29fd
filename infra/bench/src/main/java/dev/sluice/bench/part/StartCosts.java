package dev.sluice.bench.part;

import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.RegisteredAttributes;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.DefinitionLedger;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.dispatcher.start.TemporalStarter;
import dev.sluice.dispatcher.temporal.CallbackSettings;
import dev.sluice.dispatcher.temporal.CompletionCallbacks;
import dev.sluice.dispatcher.temporal.TemporalSettings;
import dev.sluice.dispatcher.trace.Traces;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The dispatcher's way to Temporal alone: claims that cost nothing go through its queue. */
final class StartCosts implements AutoCloseable {
  private static final int WORKSPACES = DispatchRound.WORKSPACES;
  private static final int PATIENCE_SECONDS = 60;
  private static final int BATCH = 256;

  private final boolean atOnce;
  private final WorkflowServiceStubs temporal;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Semaphore resolved = new Semaphore(0);
  private final StartQueue starts;

  /**
   * @param atOnce Temporal is not asked
   */
  StartCosts(Tables tables, String address, boolean atOnce) {
    this.atOnce = atOnce;
    temporal = Dispatcher.probed(address, new StartProbe(atOnce));
    var settings = settings();
    var starter =
        new TemporalStarter(
            temporal,
            new TemporalSettings(address, "default", false),
            settings,
            new DefinitionLedger(tables.jdbc()),
            RegisteredAttributes.at(temporal),
            new CompletionCallbacks(new CallbackSettings(null, null)),
            Traces.off());
    starts = new StartQueue(starter, new Counted(), settings, timer, System::nanoTime);
  }

  /** As they are by default, but no claim is ever too old to be sent. */
  private static StartSettings settings() {
    return new StartSettings(
        32,
        32,
        512,
        64,
        Duration.ofSeconds(10),
        Duration.ofHours(1),
        Duration.ofMillis(200),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofMinutes(1));
  }

  private final class Counted implements StartQueue.Results {
    @Override
    public void resolved(Claim claim, StartOutcome outcome) {
      if (!(outcome instanceof StartOutcome.Started)) {
        throw new IllegalStateException(outcome.toString());
      }
      resolved.release();
    }

    @Override
    public void confirm(List<Claim> claims) {
      throw new IllegalStateException("no claim is old here");
    }
  }

  /** What so many took, as many at a time as the dispatcher has. */
  record Rush(double perSecond, double cpuSeconds) {}

  Rush rush(int items) {
    List<Claim> claims = IntStream.range(0, items).mapToObj(StartCosts::claim).toList();
    double cpu = CpuTime.seconds();
    long began = System.nanoTime();
    if (atOnce) {
      // By batches as the pipeline has them: each answer is given within the call before it.
      for (int from = 0; from < items; from += BATCH) {
        starts.submit(claims.subList(from, Math.min(items, from + BATCH)));
      }
    } else {
      starts.submit(claims);
    }
    await(items);
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Rush(items / seconds, (CpuTime.seconds() - cpu) / items);
  }

  /** One after the other. */
  Meter.Taken alone(int repetitions) {
    return Meter.of(1)
        .measure(
            repetitions,
            n -> {
              starts.submit(List.of(claim(n)));
              await(1);
            });
  }

  private void await(int items) {
    try {
      if (!resolved.tryAcquire(items, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("not all were started in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Claim claim(int n) {
    return new Claim(
        UUID.randomUUID(),
        UUID.randomUUID(),
        "w" + n % WORKSPACES,
        Tables.DEFINITION,
        1,
        Requests.INPUT,
        5,
        null,
        null,
        0,
        new Claim.Rules(3, null, null, 1),
        Instant.now(),
        1,
        false,
        false);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    temporal.shutdownNow();
  }
}
