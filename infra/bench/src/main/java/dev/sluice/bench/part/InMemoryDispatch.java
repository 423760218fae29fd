package dev.sluice.bench.part;

import dev.sluice.bench.baseline.RawStarts;
import dev.sluice.bench.stack.Heap;
import dev.sluice.bench.stack.RenewedTemporal;

/**
 * Sluice and raw starts on in-memory servers. Each run has an empty one, so that none pays for what
 * another left there.
 *
 * @param items of each run
 */
record InMemoryDispatch(StandingDispatcher dispatcher, RenewedTemporal temporal, int items) {
  /** Which one is best is looked for only once the JVM is warm. */
  private static final int[] WARM_UP_CONCURRENCIES = {16, 32};

  /** What one round showed. */
  record Compared(RawRun raw, StandingDispatcher.Round sluice) {
    double ratio() {
      return sluice.perSecond() / raw.perSecond();
    }
  }

  void warmUp() throws InterruptedException {
    for (int concurrency : WARM_UP_CONCURRENCIES) {
      var _ = RawRun.onFreshServer(RawStarts::with, items / 4, concurrency);
      var _ = RawRun.onFreshServer(RawStarts::tuned, items / 4, concurrency);
    }
    var _ = sluice(items / 2);
  }

  /**
   * The machine's speed changes from one half-minute to the next. So Sluice and the raw starts that
   * have a goal are neighbours, and each comes first as often as the other.
   */
  Compared compare(int round, int concurrency) throws InterruptedException {
    if (round % 2 == 0) {
      RawRun raw = raw(concurrency);
      return new Compared(raw, sluice());
    }
    StandingDispatcher.Round sluice = sluice();
    return new Compared(raw(concurrency), sluice);
  }

  private RawRun raw(int concurrency) throws InterruptedException {
    return RawRun.onFreshServer(RawStarts::with, items, concurrency);
  }

  RawRun tuned(int concurrency) throws InterruptedException {
    return RawRun.onFreshServer(RawStarts::tuned, items, concurrency);
  }

  RawRun alike(int concurrency) throws InterruptedException {
    return RawRun.onFreshServer(
        address -> RawStarts.alike(address, dispatcher.lastStart()), items, concurrency);
  }

  StandingDispatcher.Round sluice() {
    return sluice(items);
  }

  /** Who comes next finds a dispatcher that has nothing left to listen to. */
  private StandingDispatcher.Round sluice(int count) {
    Heap.clear();
    StandingDispatcher.Round round = dispatcher.round(count);
    temporal.renew();
    dispatcher.awaitAllClosed();
    return round;
  }
}
