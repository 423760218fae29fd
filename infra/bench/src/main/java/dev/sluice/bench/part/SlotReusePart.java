package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.stack.Await;
import dev.sluice.bench.stack.Compiler;
import dev.sluice.bench.stack.CompletionClock;
import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Finisher;
import dev.sluice.bench.stack.RenewedTemporal;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.StartProbe;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalTemporal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A workflow completes, and the next of its workspace, which may run one at a time, is started.
 * Counted from when Temporal has the worker's call that completes it, and closes it next; shown
 * from before that call, too.
 */
final class SlotReusePart implements Part {
  private static final int ROUNDS = 5;
  private static final int WORKSPACES = 40;

  /** Of each run, thrown away: connections to the renewed Temporal are made then. */
  private static final int WARM_UP = 200;

  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(60);

  private static final String PREFIX = "slot";

  @Override
  public void run(Bench bench) throws InterruptedException {
    int closes = WARM_UP + bench.either(200, 1_000);
    var ratios = new ArrayList<Double>();
    var p50 = new ArrayList<Double>();
    var p99 = new ArrayList<Double>();
    var sinceAsked = new ArrayList<Double>();
    var completions = new CompletionClock();
    try (var temporal = new RenewedTemporal(completions);
        var slots = new Slots(bench, temporal.address(), completions)) {
      if (!bench.quick()) {
        Compiler.bringToRest(
            () -> {
              var _ = raw(closes);
              var _ = reuse(slots, temporal, closes);
            },
            LONGEST_WARM_UP);
      }
      Rounds.run(
          bench,
          "slot_reuse",
          bench.either(3, ROUNDS),
          round -> {
            Histogram raw = raw(closes);
            Reuse reuse = reuse(slots, temporal, closes);
            Histogram closed = reuse.sinceClosed();
            bench
                .console()
                .say(
                    "slot reuse: raw start p50 %.2f ms; close to next start p50 %.2f ms, p99 %.2f"
                        + " ms; since the worker's call p50 %.2f ms",
                    LatencyPart.millis(raw, 50),
                    LatencyPart.millis(closed, 50),
                    LatencyPart.millis(closed, 99),
                    LatencyPart.millis(reuse.sinceAsked(), 50));
            return () -> {
              ratios.add(LatencyPart.ratio(closed, raw, 50));
              p50.add(LatencyPart.millis(closed, 50));
              p99.add(LatencyPart.millis(closed, 99));
              sinceAsked.add(LatencyPart.millis(reuse.sinceAsked(), 50));
            };
          });
    }
    bench.rows().add("slot_reuse.p50_vs_raw_start", "ratio", ratios);
    bench.rows().add("slot_reuse.p50_ms", "ms", p50);
    bench.rows().add("slot_reuse.p99_ms", "ms", p99);
    bench.rows().add("slot_reuse.p50_ms_since_workers_call", "ms", sinceAsked);
    if (!bench.quick()) {
      RealServer.slotReuse(bench);
    }
  }

  /** Until the next is started: since Temporal had the completion, and since it was sent. */
  private record Reuse(Histogram sinceClosed, Histogram sinceAsked) {
    Reuse() {
      this(new Histogram(3), new Histogram(3));
    }
  }

  private static Reuse reuse(Slots slots, RenewedTemporal temporal, int closes)
      throws InterruptedException {
    Reuse reuse = slots.reuse(closes, WARM_UP);
    temporal.renew();
    slots.awaitAllClosed();
    return reuse;
  }

  private static Histogram raw(int count) {
    try (var temporal = LocalTemporal.inMemory(0)) {
      return raw(temporal.address(), count, WARM_UP);
    }
  }

  /** One after the other; the first ones are thrown away. */
  static Histogram raw(String address, int count, int warmUp) {
    var histogram = new Histogram(3);
    try (var raw = RawStarts.with(address)) {
      for (int i = 0; i < count; i++) {
        long began = System.nanoTime();
        raw.startAndWait(RawStarts.freshId());
        if (i >= warmUp) {
          histogram.recordValue(System.nanoTime() - began);
        }
      }
    }
    return histogram;
  }

  /** Since before the worker's call: when such a server has it is not to be seen from here. */
  static Histogram onRealServer(Bench bench, String address, int closes, int warmUp)
      throws InterruptedException {
    try (var slots = new Slots(bench, address, new CompletionClock())) {
      return slots.reuse(closes, warmUp).sinceAsked();
    }
  }

  /** One dispatcher for all rounds, as one does that serves users. */
  private static final class Slots implements AutoCloseable {
    private final String address;
    private final CompletionClock completions;
    private final Tables tables;
    private final Requests requests;
    private final StartProbe probe = new StartProbe(false);
    private final Dispatcher dispatcher;

    Slots(Bench bench, String address, CompletionClock completions) {
      this.address = address;
      this.completions = completions;
      tables = bench.servers().tables();
      requests = new Requests(bench.servers().kafka());
      tables.workspaces(PREFIX, WORKSPACES, 1);
      tables.analyze();
      dispatcher = new Dispatcher(bench.servers().kafka(), tables, address, probe);
    }

    /**
     * @param warmUp of the closes, thrown away
     */
    Reuse reuse(int closes, int warmUp) throws InterruptedException {
      var line = new Line(closes);
      probe.listen(line::started);
      requests.send(line.requests);
      return line.closeEach(address, completions, warmUp);
    }

    /** Temporal has forgotten them all: they are closed as such. */
    void awaitAllClosed() {
      Await.until("all closes are seen", LONGEST_WARM_UP, () -> tables.openWorkflows() == 0);
    }

    @Override
    public void close() {
      dispatcher.close();
      requests.close();
      tables.close();
    }
  }

  /** All workspaces in turn: the one that runs is closed, and the next one's start awaited. */
  private static final class Line {
    final List<Requests.Request> requests;
    private final int closes;
    private final Map<String, Integer> workspaceOf = new ConcurrentHashMap<>();
    private final List<BlockingQueue<Running>> running = new ArrayList<>();

    private record Running(String workflowId, long startedAt) {}

    Line(int closes) {
      this.closes = closes;
      requests = Requests.round(PREFIX, WORKSPACES, WORKSPACES + closes);
      for (int i = 0; i < requests.size(); i++) {
        workspaceOf.put(requests.get(i).workflowId(), i % WORKSPACES);
      }
      for (int i = 0; i < WORKSPACES; i++) {
        running.add(new LinkedBlockingQueue<>());
      }
    }

    void started(String workflowId, long nanos) {
      Integer workspace = workspaceOf.get(workflowId);
      if (workspace != null) {
        running.get(workspace).add(new Running(workflowId, nanos));
      }
    }

    Reuse closeEach(String address, CompletionClock completions, int warmUp)
        throws InterruptedException {
      var reuse = new Reuse();
      try (var worker = new Finisher(address)) {
        Running[] current = new Running[WORKSPACES];
        for (int w = 0; w < WORKSPACES; w++) {
          current[w] = next(w);
        }
        TimeUnit.SECONDS.sleep(1); // all are being listened to by now
        for (int i = 0; i < closes; i++) {
          int w = i % WORKSPACES;
          worker.awaitTask(current[w].workflowId());
          long began = System.nanoTime();
          worker.complete(current[w].workflowId());
          current[w] = next(w);
          if (i >= warmUp) {
            if (completions.lastAt() > began) { // not of a real server
              reuse.sinceClosed().recordValue(current[w].startedAt() - completions.lastAt());
            }
            reuse.sinceAsked().recordValue(current[w].startedAt() - began);
          }
        }
      }
      return reuse;
    }

    private Running next(int workspace) throws InterruptedException {
      Running next = running.get(workspace).poll(60, TimeUnit.SECONDS);
      if (next == null) {
        throw new IllegalStateException("a free slot was not used within a minute");
      }
      return next;
    }
  }
}
