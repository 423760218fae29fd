package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {
  @Test
  void everyCallIsMadeOnce() throws InterruptedException {
    var made = new ConcurrentSkipListSet<Integer>();
    var calls = new AtomicInteger();
    double rate =
        ClosedLoop.rate(
            4,
            100,
            n -> {
              made.add(n);
              calls.incrementAndGet();
            });
    assertThat(made).containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    assertThat(calls).hasValue(100);
    assertThat(rate).isPositive();
  }

  @Test
  void allCallersCallAtTheSameTimeAndNobodyElse() throws InterruptedException {
    int callers = 4;
    var together = new CountDownLatch(callers);
    var now = new AtomicInteger();
    var most = new AtomicInteger();
    ClosedLoop.rate(
        callers,
        40,
        n -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          together.countDown();
          assertThat(together.await(20, TimeUnit.SECONDS)).isTrue();
          now.decrementAndGet();
        });
    assertThat(most).hasValue(callers);
  }

  @Test
  void aCallThatFailsLeavesNoFigure() {
    var calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                ClosedLoop.rate(
                    1,
                    1_000,
                    n -> {
                      calls.incrementAndGet();
                      throw new IOException("refused");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("refused");
    assertThat(calls).hasValue(1);
  }
}
