package dev.sluice.recovery.stuck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import dev.sluice.recovery.DispatcherStandIn;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.TopicReader;
import dev.sluice.recovery.signal.SignalSender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("Q15")
class StuckTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final Fixture fixture = Fixture.fresh(StuckTest.class);
  private final String workspace = "ws-" + UUID.randomUUID();
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), workspace);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SignalSender signals = new SignalSender(Fixture.kafka());
  private TopicReader sent;

  @BeforeEach
  void listen() {
    sent = new TopicReader(Topics.SIGNALS, workspace);
  }

  @AfterEach
  void close() {
    sent.close();
    signals.close();
    fixture.close();
  }

  private static StuckSettings settings(Duration lease, int batch) {
    return new StuckSettings(lease, Duration.ofSeconds(60), Duration.ofSeconds(1), batch, 3, 3);
  }

  private Sweep sweep(int batch) {
    var settings = settings(Duration.ofMinutes(5), batch);
    return new Sweep(ledger(), redriver(settings), settings);
  }

  private ClaimFollower follower(Duration lease) {
    var settings = settings(lease, 100);
    return new ClaimFollower(ledger(), redriver(settings), settings, meters);
  }

  private StuckLedger ledger() {
    return new StuckLedger(fixture.sql());
  }

  private Redriver redriver(StuckSettings settings) {
    return new Redriver(signals, settings.alarmAfter(), meters);
  }

  @Test
  void theSweepFindsARowClaimedAnHourAgoThatNobodyOwns() throws Exception {
    UUID stranded = dispatcher.claimed();
    UUID young = dispatcher.claimed();
    age(stranded, "1 hour");
    assertThat(sweep(100).runOnce()).isEqualTo(1);
    assertThat(redriven(1)).containsExactly(stranded).doesNotContain(young);
    assertThat(meters.get("sluice.queue.stale.recovery").counter().count()).isEqualTo(1);
  }

  @Test
  void theSweepGoesThroughAllPages() throws Exception {
    var stranded = IntStream.range(0, 25).mapToObj(n -> dispatcher.claimed()).toList();
    stranded.forEach(id -> age(id, "10 minutes"));
    assertThat(sweep(10).runOnce()).isEqualTo(25);
    assertThat(redriven(25)).containsExactlyInAnyOrderElementsOf(stranded);
  }

  @Test
  void nothingStuckSendsNothing() throws Exception {
    dispatcher.dispatched();
    dispatcher.claimed();
    assertThat(sweep(100).runOnce()).isZero();
  }

  @Test
  void anItemRedrivenThreeTimesAndStuckAgainIsAnAlarm() throws Exception {
    UUID id = dispatcher.claimed();
    age(id, "1 hour");
    fixture.sql().sql("update workflow_execution_queue set redrives = 2").update();
    sweep(100).runOnce();
    assertThat(meters.get("sluice.queue.redrive.alarms").counter().count()).isZero();
    fixture.sql().sql("update workflow_execution_queue set redrives = 3").update();
    sweep(100).runOnce();
    assertThat(meters.get("sluice.queue.redrive.alarms").counter().count()).isEqualTo(1);
  }

  @Test
  void aClaimSeenInTheStreamIsRedrivenWhenItsLeasePassed() throws Exception {
    var follower = follower(Duration.ofSeconds(1));
    UUID silent = dispatcher.claimed();
    UUID settled = dispatcher.claimed();
    follower.see("claimed", silent);
    follower.see("claimed", settled);
    assertThat(follower.runOnce()).isZero();
    dispatcher.dispatch(settled);
    follower.see("dispatched", settled);
    Awaitility.await().atMost(SOON).until(() -> follower.runOnce() == 1);
    assertThat(redriven(1)).containsExactly(silent);
    assertThat(followed()).isEqualTo(1);
  }

  @Test
  void onlyTheDatabaseSaysWhetherAClaimIsStuck() throws Exception {
    var follower = follower(Duration.ofSeconds(1));
    UUID renewed = dispatcher.claimed();
    follower.see("claimed", renewed);
    // Our clock says its second has passed; by the database's it was renewed far ahead.
    age(renewed, "-1 hour");
    Awaitility.await()
        .pollDelay(Duration.ofMillis(1100))
        .atMost(SOON)
        .until(() -> follower.runOnce() == 0 && followed() == 1);
    assertThat(sent.poll()).isEmpty();
  }

  @Test
  void theFollowerRemembersNoMoreThanItMay() {
    var follower = follower(Duration.ofMinutes(5));
    IntStream.range(0, 10).forEach(n -> follower.see("claimed", UUID.randomUUID()));
    assertThat(followed()).isEqualTo(3);
  }

  private double followed() {
    return meters.get("sluice.claims.followed").gauge().value();
  }

  private void age(UUID id, String by) {
    fixture
        .sql()
        .sql(
            "update workflow_execution_queue set claimed_at = claimed_at - cast(? as interval)"
                + " where id = ?")
        .param(by)
        .param(id)
        .update();
  }

  private List<UUID> redriven(int atLeast) {
    return sent.await(SOON, all -> all.size() >= atLeast).stream()
        .map(r -> (Signal.Redrive) SignalCodec.decode(r).orElseThrow())
        .map(Signal.Redrive::id)
        .toList();
  }
}
