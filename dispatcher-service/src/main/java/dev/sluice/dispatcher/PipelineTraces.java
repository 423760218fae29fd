package dev.sluice.dispatcher;

import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.SettleLedger.Dispatched;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.trace.Traces;
import java.util.List;

/** What the pipeline did, as spans of its items and of its batches; while tracing is off, none. */
final class PipelineTraces {
  private final Traces traces;
  private final DispatcherMetrics metrics;
  private long lockedAt;

  PipelineTraces(DispatcherMetrics metrics) {
    this.traces = metrics.traces();
    this.metrics = metrics;
  }

  long now() {
    return traces.now();
  }

  /** The workspaces of the admission under way are locked. */
  void locked() {
    lockedAt = traces.now();
  }

  /** Measures them, too: a measurement within its span points to the trace. */
  void settled(List<Dispatched> settled, long began) {
    if (!traces.isOn()) {
      settled.forEach(one -> metrics.dispatched(one.waitedSeconds()));
      return;
    }
    long ended = traces.now();
    for (Dispatched one : settled) {
      traces.item(
          "sluice.settle", item(one), began, ended, () -> metrics.dispatched(one.waitedSeconds()));
    }
    traces.batch(
        "sluice.settle.batch",
        settled.stream().map(PipelineTraces::item).toList(),
        began,
        ended,
        List.of());
  }

  void admitted(List<Claim> claims, long began) {
    if (traces.isOn()) {
      long ended = traces.now();
      admitted(claims, began, ended, lockedAt < began ? List.of() : parts(began, ended));
    }
  }

  /** Slots are counted and claimed by one statement, under the lock that another has taken. */
  private List<Traces.Part> parts(long began, long ended) {
    return List.of(
        new Traces.Part("lock", began, lockedAt),
        new Traces.Part("count-and-claim", lockedAt, ended));
  }

  /** With their rows: all of it is one statement. */
  void entered(List<Claim> claims, long began) {
    if (traces.isOn()) {
      admitted(claims, began, traces.now(), List.of());
    }
  }

  private void admitted(List<Claim> claims, long began, long ended, List<Traces.Part> parts) {
    List<Traces.Item> items = claims.stream().map(PipelineTraces::item).toList();
    items.forEach(item -> traces.item("sluice.admit", item, began, ended, () -> {}));
    traces.batch("sluice.admit.batch", items, began, ended, parts);
  }

  private static Traces.Item item(Dispatched one) {
    return new Traces.Item(one.id(), one.workspaceId(), one.traceparent());
  }

  private static Traces.Item item(Claim claim) {
    return new Traces.Item(claim.id(), claim.workspaceId(), claim.traceparent());
  }
}
