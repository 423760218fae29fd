package dev.sluice.dispatcher.start;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.FailureCode;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.Claims;
import dev.sluice.dispatcher.simulator.ManualTimer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StartQueueTest {
  private static final StartOutcome STARTED = new StartOutcome.Started("run");
  private static final StartOutcome OUTAGE = new StartOutcome.Outage("away");
  private static final StartOutcome UNKNOWN = new StartOutcome.Unknown("deadline");
  private static final StartSettings SETTINGS = StartSettingsFor.test(2, 4, 3);

  private final ManualTimer.Clock clock = new ManualTimer.Clock();
  private final ManualTimer timer = new ManualTimer(clock);
  private final Map<UUID, CompletableFuture<StartOutcome>> asked = new LinkedHashMap<>();
  private final List<Claim> resolved = new ArrayList<>();
  private final List<Claim> toConfirm = new ArrayList<>();
  private final StartQueue queue =
      new StartQueue(
          claim -> {
            var answer = new CompletableFuture<StartOutcome>();
            asked.put(claim.id(), answer);
            return answer;
          },
          new StartQueue.Results() {
            @Override
            public void resolved(Claim claim, StartOutcome outcome) {
              resolved.add(claim);
            }

            @Override
            public void confirm(List<Claim> claims) {
              toConfirm.addAll(claims);
            }
          },
          SETTINGS,
          timer,
          clock::nanos);

  @Test
  void theClaimsOfAWorkspaceGoOneAfterTheOtherAndWorkspacesSideBySide() {
    Claim first = Claims.claim("a");
    Claim second = Claims.claim("a");
    Claim other = Claims.claim("b");
    queue.submit(List.of(first, second, other));
    assertThat(asked.keySet()).containsExactly(first.id(), other.id());

    answer(first, STARTED);

    assertThat(asked.keySet()).containsExactly(first.id(), other.id(), second.id());
  }

  @Test
  @Tag("Q16")
  void aStartWhoseOutcomeIsUnknownIsAskedForAgainAndKeepsItsPlace() {
    Claim claim = Claims.claim("a");
    queue.submit(List.of(claim));
    answer(claim, UNKNOWN);
    assertThat(queue.has(claim.id())).isTrue();
    assertThat(resolved).isEmpty();

    asked.clear();
    passTime(300);

    assertThat(asked).containsKey(claim.id());
  }

  @Test
  @Tag("Q14")
  void whileTemporalIsAwayNothingMoreIsTakenOn() {
    Claim claim = Claims.claim("a");
    queue.submit(List.of(claim));
    answer(claim, OUTAGE);

    assertThat(queue.isTemporalAway()).isTrue();
    assertThat(queue.room()).isZero();
  }

  @Test
  @Tag("Q14")
  void whoLostItsLastClaimWhileTemporalWasAwayTakesOnOneToFindOutWhenItIsBack() {
    Claim claim = Claims.claim("a");
    queue.submit(List.of(claim));
    answer(claim, OUTAGE);
    queue.abandon(workspace -> true);
    assertThat(queue.room()).isEqualTo(1);

    passTime(300);
    Claim probe = Claims.claim("b");
    queue.submit(List.of(probe));
    answer(probe, STARTED);

    assertThat(queue.isTemporalAway()).isFalse();
    assertThat(queue.room()).isEqualTo(4);
  }

  @Test
  void asManyAsGoWithinASecondMayBeClaimedButNotEnterOutOfTurn() {
    for (int n = 0; n < 3; n++) {
      Claim claim = Claims.claim("a");
      queue.submit(List.of(claim));
      answer(claim, STARTED);
    }
    assertThat(queue.room()).as("three within a quarter of a second").isEqualTo(12);
    assertThat(queue.roomToEnter()).isEqualTo(4);

    passTime(2_000);

    assertThat(queue.room()).isEqualTo(4);
  }

  @Test
  void ofOneWorkspaceNothingIsClaimedBeforeHalfOfItsRoomIsFree() {
    List<Claim> claims = Stream.generate(() -> Claims.claim("a")).limit(3).toList();
    queue.submit(claims);
    answer(claims.get(0), STARTED);
    assertThat(queue.roomFor("a")).as("to enter").isEqualTo(1);
    assertThat(queue.roomToClaim("a")).as("two of three are there").isZero();

    answer(claims.get(1), STARTED);

    assertThat(queue.roomToClaim("a")).as("two within a quarter of a second").isEqualTo(5);
  }

  @Test
  @Tag("Q2")
  void ofTwoClaimsOfAnItemTheLaterOneIsSettledWhicheverCameFirst() {
    Claim fresh = Claims.claim("a");
    Claim later = Claims.takenOver(fresh);
    queue.submit(List.of(fresh));
    queue.submit(List.of(later));
    answer(fresh, STARTED);
    assertThat(resolved).containsExactly(later);

    resolved.clear();
    queue.submit(List.of(later));
    queue.submit(List.of(fresh));
    answer(later, STARTED);
    assertThat(resolved).containsExactly(later);
    assertThat(queue.size()).isZero();
  }

  @Test
  @Tag("Q2")
  void aClaimThatWaitedLongIsConfirmedBeforeItIsSent() {
    Claim first = Claims.claim("a");
    Claim waiting = Claims.claim("a");
    Claim lost = Claims.claim("a");
    queue.submit(List.of(first, waiting, lost));
    clock.advance(6_000);
    answer(first, STARTED);
    assertThat(toConfirm).containsExactly(waiting, lost);
    assertThat(asked).doesNotContainKey(waiting.id());

    queue.confirmed(List.of(waiting, lost), Set.of(waiting.id()));
    assertThat(asked).containsKey(waiting.id());
    answer(waiting, STARTED);

    assertThat(asked).doesNotContainKey(lost.id());
    assertThat(queue.size()).isZero();
  }

  @Test
  @Tag("Q18")
  void afterOneWasTakenOverTheOthersOfItsWorkspaceAreConfirmedHoweverYoung() {
    Claim first = Claims.claim("a");
    Claim old = Claims.claim("a");
    queue.submit(List.of(first, old));
    clock.advance(6_000);
    Claim young = Claims.claim("a");
    answer(first, STARTED);
    assertThat(toConfirm).containsExactly(old);
    queue.submit(List.of(young));

    queue.confirmed(List.of(old), Set.of());

    assertThat(asked).doesNotContainKey(young.id());
    assertThat(toConfirm).containsExactly(old, young);
  }

  @Test
  void whoComesWhileTemporalIsSlowWaitsForAMomentAndNotForHalfOfAllThatIsClaimed() {
    queue.submit(List.of(Claims.claim("a"), Claims.claim("b"), Claims.claim("c")));
    assertThat(queue.room()).isZero();

    clock.advance(300);

    assertThat(queue.room()).isEqualTo(1);
  }

  @Test
  @Tag("L3")
  void onlyWhatWasNeverSentIsRecalled() {
    Claim sent = Claims.claim("a");
    Claim unsent = Claims.claim("a");
    Claim perhapsSentByAnother = Claims.takenOver(Claims.claim("a"));
    Claim elsewhere = Claims.claim("b");
    queue.submit(List.of(sent, unsent, perhapsSentByAnother, elsewhere));
    assertThat(queue.workspaces()).containsExactlyInAnyOrder("a", "b");

    assertThat(queue.recall(claim -> claim.workspaceId().equals("a"))).containsExactly(unsent);

    answer(sent, STARTED);
    assertThat(asked).containsKey(perhapsSentByAnother.id()).doesNotContainKey(unsent.id());
  }

  @Test
  void whatIsHeardOfAClaimThatWasReplacedMeanwhileChangesNothing() {
    Claim first = Claims.claim("a");
    Claim waiting = Claims.claim("a");
    queue.submit(List.of(first, waiting));
    clock.advance(6_000);
    answer(first, STARTED);
    Claim later = Claims.takenOver(waiting);
    queue.submit(List.of(later));

    queue.confirmed(List.of(waiting), Set.of());

    assertThat(asked).containsKey(waiting.id());
    answer(waiting, STARTED);
    assertThat(resolved).containsExactly(first, later);
  }

  @Test
  @Tag("L3")
  void onlyClaimsThatNobodyAskedForAreGivenBackAtTheEnd() {
    Claim underWay = Claims.claim("a");
    Claim neverSent = Claims.claim("a");
    Claim unresolved = Claims.claim("b");
    queue.submit(List.of(underWay, neverSent, unresolved));
    answer(unresolved, UNKNOWN);
    Claim perhapsSentByAnother = Claims.takenOver(Claims.claim("a"));
    queue.submit(List.of(perhapsSentByAnother));

    assertThat(queue.stop()).containsExactly(neverSent);
    assertThat(queue.has(underWay.id())).isTrue();
    assertThat(queue.size()).isEqualTo(1);
    answer(underWay, STARTED);
    assertThat(resolved).containsExactly(underWay);
  }

  @Test
  void aClaimOfAWorkspaceThatWentToAnotherIsNotStarted() {
    Claim ours = Claims.claim("ours");
    Claim theirs = Claims.claim("theirs");

    assertThat(queue.submit(List.of(ours, theirs), "ours"::equals)).containsExactly(theirs);
    assertThat(queue.has(ours.id())).isTrue();
    assertThat(queue.has(theirs.id())).isFalse();
  }

  @Test
  void aRefusalIsResolvedAtOnceAndIsNoSignOfAnOutage() {
    Claim claim = Claims.claim("a");
    queue.submit(List.of(claim));
    answer(claim, new StartOutcome.Rejected(FailureCode.START_REJECTED, "no"));

    assertThat(resolved).containsExactly(claim);
    assertThat(queue.isTemporalAway()).isFalse();
  }

  @Test
  void whileTemporalIsSlowEachWorkspaceGetsItsShareThoughItsClaimsAreOldAndToBeConfirmed() {
    var claims = new HashMap<UUID, Claim>();
    for (int n = 0; n < 80; n++) {
      for (String workspace : List.of("large1", "large2", "large3", "small1", "small2", "small3")) {
        Claim claim = Claims.withWeight(workspace, workspace.startsWith("large") ? 4 : 1);
        claims.put(claim.id(), claim);
        queue.submit(List.of(claim));
      }
    }
    var started = new HashMap<String, Integer>();
    for (int round = 0; round < 150; round++) {
      clock.advance(300);
      for (UUID id : List.copyOf(asked.keySet())) {
        Claim claim = claims.get(id);
        started.merge(claim.workspaceId().substring(0, 5), 1, Integer::sum);
        answer(claim, STARTED);
        asked.remove(id);
      }
      var confirmed = List.copyOf(toConfirm); // what was sent meanwhile did not wait for it
      toConfirm.clear();
      queue.confirmed(confirmed, confirmed.stream().map(Claim::id).collect(toSet()));
    }

    assertThat(started.get("large") / (double) started.get("small")).isBetween(3.2, 4.8);
  }

  private void answer(Claim claim, StartOutcome outcome) {
    asked.get(claim.id()).complete(outcome);
  }

  private void passTime(int millis) {
    clock.advance(millis);
    while (timer.hasDue()) {
      timer.runNext();
    }
  }
}
