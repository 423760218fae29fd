package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  @Test
  void theTimetableKeepsTheRateAndIsTheSameForTheSameSeed() {
    long[] times = OpenLoop.timetable(1_000, 20_000, 7);
    assertThat(times[times.length - 1])
        .isCloseTo(TimeUnit.SECONDS.toNanos(20), Percentage.withPercentage(5));
    assertThat(times).isSorted().isEqualTo(OpenLoop.timetable(1_000, 20_000, 7));
    assertThat(times).isNotEqualTo(OpenLoop.timetable(1_000, 20_000, 8));
  }

  @Test
  void aStallCountsForEverythingThatWasDueMeanwhile() {
    var loop = new OpenLoop();
    int count = 20;
    loop.run(
        1_000,
        count,
        1,
        Integer::toString,
        n -> {
          if (n == 0) {
            sleep();
          }
          loop.started(Integer.toString(n), System.nanoTime());
        });
    assertThat(loop.result(count).getValueAtPercentile(50))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(100));
  }

  @Test
  void thoseThatWereDueAtAnotherTimeCanBeLeftOut() {
    var loop = new OpenLoop();
    loop.run(
        1_000, 20, 1, Integer::toString, n -> loop.started(Integer.toString(n), System.nanoTime()));
    assertThat(loop.result(20).getTotalCount()).isEqualTo(20);
    long now = System.nanoTime();
    assertThat(loop.latencies(due -> due < now).getTotalCount()).isEqualTo(20);
    assertThat(loop.latencies(due -> due > now).getTotalCount()).isZero();
  }

  @Test
  void oneThatFailsLeavesNoFigureAndIsNotWaitedFor() {
    var loop = new OpenLoop();
    loop.run(1_000, 2, 1, Integer::toString, n -> loop.failed(new IOException("refused " + n)));
    assertThatThrownBy(() -> loop.result(2)).hasRootCauseMessage("refused 0");
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
