package dev.sluice.recovery.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.recovery.DispatcherStandIn;
import dev.sluice.recovery.Fixture;
import dev.sluice.recovery.retention.TemporalRetention.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final Duration MONTH = Duration.ofDays(30);

  private final Fixture fixture = Fixture.fresh(RetentionTest.class);
  private final DispatcherStandIn dispatcher = new DispatcherStandIn(fixture.sql(), "acme");
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Retention retention(Answer temporalKeeps, int batch, int perRound) {
    var settings =
        new RetentionSettings(MONTH, Duration.ofSeconds(60), batch, perRound, Duration.ofMillis(1));
    return new Retention(new RetentionLedger(fixture.sql()), () -> temporalKeeps, settings, meters);
  }

  @Test
  void whatIsOverForLongerThanIsKeptLeaves() throws Exception {
    UUID old = dispatcher.live();
    UUID cancelled = cancelled();
    agedBy40Days();
    UUID young = dispatcher.live();
    UUID running = dispatcher.dispatched();
    assertThat(retention(new Answer.None(), 500, 1000).runOnce()).isEqualTo(2);
    assertThat(rows()).containsExactlyInAnyOrder(young, running).doesNotContain(old, cancelled);
    assertThat(meters.get("sluice.retention.rows.removed").counter().count()).isEqualTo(2);
  }

  @Test
  void whatStillRunsOrWaitsStaysHoweverOldItIs() throws Exception {
    dispatcher.dispatched();
    dispatcher.accept();
    dispatcher.claimed();
    agedBy40Days();
    assertThat(retention(new Answer.None(), 500, 1000).runOnce()).isZero();
    assertThat(rows()).hasSize(3);
  }

  @Test
  void rowsLeaveInStepsAndNoMoreThanARoundAllows() throws Exception {
    IntStream.range(0, 25).forEach(n -> dispatcher.live());
    agedBy40Days();
    assertThat(retention(new Answer.None(), 4, 10).runOnce()).isEqualTo(10);
    assertThat(rows()).hasSize(15);
    assertThat(retention(new Answer.None(), 4, 100).runOnce()).isEqualTo(15);
  }

  @Test
  void nothingLeavesWhileTemporalWouldStillRefuseItsId() throws Exception {
    dispatcher.live();
    agedBy40Days();
    assertThat(retention(new Answer.Known(Duration.ofDays(60)), 500, 1000).runOnce()).isZero();
    assertThat(retention(new Answer.Unreachable("UNAVAILABLE"), 500, 1000).runOnce()).isZero();
    assertThat(retention(new Answer.Known(Duration.ofDays(3)), 500, 1000).runOnce()).isEqualTo(1);
  }

  private UUID cancelled() {
    UUID id = dispatcher.accept();
    fixture
        .sql()
        .sql(
            "update workflow_execution_queue set state = 'CANCELLED', ended_at = now() where id ="
                + " ?")
        .param(id)
        .update();
    return id;
  }

  private void agedBy40Days() {
    fixture
        .sql()
        .sql("update workflow_execution set closed_at = closed_at - interval '40 days'")
        .update();
    fixture
        .sql()
        .sql(
            """
            update workflow_execution_queue
               set ended_at = ended_at - interval '40 days', claimed_at = claimed_at - interval '40 days',
                   accepted_at = accepted_at - interval '40 days'
            """)
        .update();
  }

  private List<UUID> rows() {
    return fixture.sql().sql("select id from workflow_execution_queue").query(UUID.class).list();
  }
}
