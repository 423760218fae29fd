package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.stack.CpuTime;
import dev.sluice.bench.stack.Heap;
import dev.sluice.servers.LocalTemporal;
import java.util.function.Function;

/** Starts alone: the server's share of the work is in the processor's time here, too. */
record RawRun(double perSecond, double cpuMillisPerItem) {

  static RawRun onFreshServer(Function<String, RawStarts> opener, int items, int concurrency)
      throws InterruptedException {
    try (var temporal = LocalTemporal.inMemory(0);
        var raw = opener.apply(temporal.address())) {
      var _ = raw.rate(DispatchRound.WORKSPACES, concurrency);
      Heap.clear();
      double before = CpuTime.seconds();
      double rate = raw.rate(items, concurrency);
      return new RawRun(rate, (CpuTime.seconds() - before) * 1000 / items);
    }
  }
}
