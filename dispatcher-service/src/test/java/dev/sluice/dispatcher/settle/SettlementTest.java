package dev.sluice.dispatcher.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.FailureCode;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.Claims;
import dev.sluice.dispatcher.ledger.SettleLedger.Release;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartSettings;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SettlementTest {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final StartOutcome.Rejected REFUSED =
      new StartOutcome.Rejected(FailureCode.START_REJECTED, "not\0this " + "x".repeat(2000));

  private final Settlement settlement =
      new Settlement(
          new StartSettings(
              1,
              1,
              1,
              1,
              Duration.ofSeconds(10),
              Duration.ofSeconds(5),
              Duration.ofMillis(200),
              Duration.ofSeconds(5),
              FIRST,
              LONGEST));

  @Test
  @Tag("Q16")
  void startedAndAlreadyStartedAreBothADispatchedItem() {
    Claim claim = Claims.claim("ws");
    var started = settlement.started(claim, new StartOutcome.Started("r")).orElseThrow();
    var already = settlement.started(claim, new StartOutcome.AlreadyStarted("r")).orElseThrow();

    assertThat(started).isEqualTo(already);
    assertThat(started.token()).isEqualTo(claim.token());
  }

  @Test
  @Tag("Q14")
  void anOutageAndAnUnknownOutcomeSettleNothing() {
    Claim claim = Claims.claim("ws");

    assertThat(settlement.started(claim, new StartOutcome.Outage("away"))).isEmpty();
    assertThat(settlement.started(claim, new StartOutcome.Unknown("late"))).isEmpty();
  }

  @Test
  @Tag("Q13")
  void aRefusalCountsAnAttemptAndBacksOff() {
    Release release = settlement.rejected(Claims.withAttempts(1, 3), REFUSED);

    assertThat(release.attempt()).isEqualTo(1);
    assertThat(release.code()).isNull();
    assertThat(release.delay()).isBetween(FIRST.multipliedBy(2), FIRST.multipliedBy(3));
  }

  @Test
  @Tag("Q13")
  void aDefinitionsOwnBackOffCounts() {
    var own = new Claim.Rules(3, Duration.ofMillis(10), Duration.ofMillis(15), 1);
    assertThat(settlement.rejected(Claims.withRules(1, own), REFUSED).delay())
        .isBetween(Duration.ofMillis(15), Duration.ofMillis(18));
  }

  @Test
  @Tag("Q13")
  void theLastRefusalFailsTheItemWithAMessageThatCanBeStored() {
    Release release = settlement.rejected(Claims.withAttempts(2, 3), REFUSED);

    assertThat(release.code()).isEqualTo("START_REJECTED");
    assertThat(release.message()).startsWith("not this x").hasSizeLessThan(1100);
    assertThat(release.delay()).isZero();
  }

  @Test
  @Tag("L3")
  void aClaimThatWasNeverSentIsGivenBackWithoutAnAttempt() {
    Release release = Settlement.unsent(Claims.claim("ws"));

    assertThat(release.attempt()).isZero();
    assertThat(release.code()).isNull();
    assertThat(release.delay()).isZero();
  }

  @Test
  @Tag("Q13")
  void theBackOffDoublesUpToItsLongestAndIsSpreadByAFifth() {
    var backoff = new Backoff(FIRST, LONGEST);
    assertThat(backoff.after(1)).isBetween(FIRST, Duration.ofMillis(1200));
    assertThat(backoff.after(4)).isBetween(Duration.ofSeconds(8), Duration.ofMillis(9600));
    assertThat(backoff.after(1000)).isBetween(LONGEST, Duration.ofSeconds(72));
  }
}
