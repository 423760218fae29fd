package dev.sluice.dispatcher.admit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.AdmitLedger.Ask;
import dev.sluice.dispatcher.ledger.AdmitLedger.Given;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.Claims;
import dev.sluice.dispatcher.ledger.EnterLedger.Room;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.simulator.ManualTimer;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettingsFor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class AdmissionTest {
  private final ManualTimer.Clock clock = new ManualTimer.Clock();
  private final Map<UUID, CompletableFuture<StartOutcome>> asked = new HashMap<>();
  private final Admission admission = admission(starts(4, 3));

  private StartQueue starts(int maxClaimed, int ofOneWorkspace) {
    return new StartQueue(
        claim -> asked.computeIfAbsent(claim.id(), id -> new CompletableFuture<>()),
        new StartQueue.Results() {
          @Override
          public void resolved(Claim claim, StartOutcome outcome) {}

          @Override
          public void confirm(List<Claim> claims) {}
        },
        StartSettingsFor.test(2, maxClaimed, ofOneWorkspace),
        new ManualTimer(clock),
        clock::nanos);
  }

  private static Admission admission(StartQueue starts) {
    return new Admission(
        new AdmitLedger(new JdbcTemplate(), UUID.randomUUID(), Duration.ZERO),
        new HandoverLedger(new JdbcTemplate(), UUID.randomUUID()),
        starts,
        new AdmitSettings(200, Duration.ZERO),
        new DispatcherMetrics(new SimpleMeterRegistry()),
        new Admission.Owner() {
          @Override
          public boolean isUs(String workspaceId) {
            return true;
          }

          @Override
          public boolean mayAdmit(String workspaceId) {
            return true;
          }

          @Override
          public void tell(String workspaceId) {}
        },
        (work, after) -> {});
  }

  /** Else each start that comes back would be followed by a claim of one. */
  @Test
  void whoeverHasAllItMayHaveClaimedIsLookedAtAgainWhenHalfOfThatHasGone() {
    StartQueue starts = starts(20, 4);
    Admission few = admission(starts);
    List<Claim> claims = Stream.generate(() -> Claims.claim("a")).limit(4).toList();
    starts.submit(claims);
    few.touch("a");
    assertThat(few.next()).as("all four are claimed").isEmpty();

    start(claims.get(0));
    assertThat(few.resolved("a")).as("three of four are left").isFalse();
    start(claims.get(1));
    assertThat(few.resolved("a")).as("two are left").isTrue();

    assertThat(few.next()).singleElement().extracting(Ask::most).isEqualTo(2);
  }

  private void start(Claim claim) {
    requireNonNull(asked.get(claim.id())).complete(new StartOutcome.Started("run"));
  }

  @Test
  void twoBatchesDoNotCountOnTheSameRoom() {
    Map<String, Integer> first = admission.mayEnter(Map.of("a", 3));
    assertThat(first).containsOnlyKeys("a");
    assertThat(admission.mayEnter(Map.of("b", 2))).isEmpty();

    admission.haveEntered(first);

    assertThat(admission.mayEnter(Map.of("b", 2))).containsOnlyKeys("b");
  }

  /** Or the second's claims could be handed on before the first's. */
  @Test
  void nobodyEntersWhereAnotherIsEntering() {
    Map<String, Integer> first = admission.mayEnter(Map.of("a", 1));
    assertThat(admission.mayEnter(Map.of("a", 1, "b", 1))).containsOnlyKeys("b");

    admission.haveEntered(first);

    assertThat(admission.mayEnter(Map.of("a", 1))).containsOnlyKeys("a");
  }

  /** He would be refused under the workspace's lock, and stored to wait after that. */
  @Test
  void nobodyAsksForTheSlotOfThoseWhoWaitBeforeHim() {
    var _ = admission.arrived("a");
    assertThat(admission.mayEnter(Map.of("a", 1, "b", 1))).containsOnlyKeys("b");

    look("a", 2, 2);
    assertThat(admission.mayEnter(Map.of("a", 1))).as("others may be left in line").isEmpty();

    look("a", 2, 1);
    assertThat(admission.mayEnter(Map.of("a", 1))).as("the last has started").containsOnlyKeys("a");
  }

  @Test
  void whoIsLookedAtForFewerThanAreFreeMayHaveLeftSomebody() {
    var _ = admission.arrived("a");
    var _ =
        admission.follow(
            List.of(new Ask("a", 1, 0)),
            List.of(given("a", 3, Claims.claim("a"))),
            workspace -> {});
    assertThat(admission.mayEnter(Map.of("a", 1))).isEmpty();
  }

  private void look(String workspace, int free, int claimed) {
    Claim[] claims =
        Stream.generate(() -> Claims.claim(workspace)).limit(claimed).toArray(Claim[]::new);
    var _ =
        admission.follow(
            List.of(new Ask(workspace, free, 0)),
            List.of(given(workspace, free, claims)),
            full -> {});
    admission.touch(workspace); // one of them has closed
    assertThat(admission.next()).isNotEmpty();
  }

  private static Given given(String workspace, int free, Claim... claims) {
    return Given.within(workspace, new Room(free, 0, 1), 0, List.of(claims));
  }
}
