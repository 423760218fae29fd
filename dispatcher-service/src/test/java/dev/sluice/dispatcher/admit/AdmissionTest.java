package dev.sluice.dispatcher.admit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.Claim;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.simulator.ManualTimer;
import dev.sluice.dispatcher.start.StartOutcome;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class AdmissionTest {
  private static final int ROOM = 4;

  private final ManualTimer.Clock clock = new ManualTimer.Clock();
  private final StartQueue starts =
      new StartQueue(
          claim -> new CompletableFuture<>(),
          new StartQueue.Results() {
            @Override
            public void resolved(Claim claim, StartOutcome outcome) {}

            @Override
            public void confirm(List<Claim> claims) {}
          },
          new StartSettings(
              2,
              ROOM,
              3,
              Duration.ofSeconds(10),
              Duration.ofSeconds(5),
              Duration.ofMillis(200),
              Duration.ofSeconds(5),
              Duration.ofSeconds(1),
              Duration.ofMinutes(1)),
          new ManualTimer(clock),
          clock::nanos);
  private final Admission admission =
      new Admission(
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
}
