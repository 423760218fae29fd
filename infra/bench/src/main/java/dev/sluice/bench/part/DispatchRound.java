package dev.sluice.bench.part;

import dev.sluice.bench.stack.Dispatcher;
import dev.sluice.bench.stack.Requests;
import dev.sluice.bench.stack.Servers;
import java.util.concurrent.TimeUnit;

/** One round of a dispatcher that is started for it. */
final class DispatchRound {
  static final int WORKSPACES = 500;
  static final int WARM_UP = 500;
  static final String PREFIX = "w";
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

  private DispatchRound() {}

  static StandingDispatcher.Round run(
      Servers servers, String temporalAddress, boolean instant, int workspaces, int items) {
    try (var dispatcher = new StandingDispatcher(servers, temporalAddress, instant, workspaces)) {
      return dispatcher.round(items);
    }
  }

  /** Every workspace once: partitions are assigned, connections open, definitions known. */
  static void warmUp(Dispatcher dispatcher, Requests requests) {
    warmUp(dispatcher, requests, WORKSPACES);
  }

  static void warmUp(Dispatcher dispatcher, Requests requests, int workspaces) {
    requests.send(Requests.round(PREFIX, workspaces, WARM_UP));
    require(dispatcher.awaitSettled(WARM_UP, System.nanoTime() + PATIENCE));
  }

  static void require(boolean inTime) {
    if (!inTime) {
      throw new IllegalStateException("not all were started in time, so there is no figure");
    }
  }
}
