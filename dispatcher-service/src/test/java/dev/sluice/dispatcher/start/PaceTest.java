package dev.sluice.dispatcher.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.simulator.ManualTimer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("Q14")
class PaceTest {
  private static final long QUICK = Duration.ofMillis(5).toNanos();
  private static final long SLOW = 2 * Pace.SLOW.toNanos();

  private final ManualTimer.Clock clock = new ManualTimer.Clock();
  private final Pace pace =
      new Pace(8, 16, Duration.ofMillis(200), Duration.ofSeconds(1), clock::nanos);

  @Test
  void allMayGoWhileItGoesWell() {
    assertThat(entering()).isEqualTo(8);
  }

  @Test
  void oneAtATimeAndWithGrowingPausesWhileTemporalIsAway() {
    for (long pause : new long[] {200, 400, 800, 1000, 1000}) {
      assertThat(pace.tryEnter()).isTrue();
      assertThat(pace.failed(true)).isEqualTo(Duration.ofMillis(pause));
      assertThat(pace.isAway()).isTrue();
      clock.advance(pause - 1);
      assertThat(pace.tryEnter()).isFalse();
      clock.advance(1);
    }
    assertThat(entering()).isEqualTo(1);
  }

  @Test
  void callsThatFailTogetherMakeOnePause() {
    assertThat(entering()).isEqualTo(8);
    for (int i = 0; i < 8; i++) {
      assertThat(pace.failed(true)).isEqualTo(Duration.ofMillis(200));
    }
  }

  @Test
  void aRecoveredServerIsMetByTwiceAsManyWithEverySuccess() {
    assertThat(pace.tryEnter()).isTrue();
    pace.failed(true);
    clock.advance(200);
    for (int allowed : new int[] {1, 2, 4, 8}) {
      assertThat(entering()).isEqualTo(allowed);
      pace.succeeded();
      for (int i = 1; i < allowed; i++) {
        pace.leave();
      }
    }
    assertThat(pace.isAway()).isFalse();
  }

  @Test
  void aSingleUnknownOutcomeIsNoOutageAndThreeInARowAre() {
    for (boolean away : new boolean[] {false, false, true}) {
      assertThat(pace.tryEnter()).isTrue();
      pace.failed(false);
      assertThat(pace.isAway()).isEqualTo(away);
    }
  }

  @Test
  void moreMayGoWhileEachTakesLong() {
    afterSome(SLOW);
    assertThat(entering()).isEqualTo(16);
    pace.succeeded();
    assertThat(entering()).as("one for each that comes back").isEqualTo(1);
  }

  @Test
  void asManyAsBeforeMayGoOnceTheyAreQuickAgain() {
    afterSome(SLOW);
    afterSome(QUICK);
    assertThat(entering()).isEqualTo(8);
  }

  private void afterSome(long nanos) {
    for (int i = 0; i < 200; i++) {
      assertThat(pace.tryEnter()).isTrue();
      pace.took(nanos);
      pace.succeeded();
    }
  }

  private int entering() {
    int entered = 0;
    while (pace.tryEnter()) {
      entered++;
    }
    return entered;
  }
}
