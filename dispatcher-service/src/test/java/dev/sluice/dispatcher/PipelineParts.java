package dev.sluice.dispatcher;

import static java.util.Objects.requireNonNull;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.admit.AdmitSettings;
import dev.sluice.dispatcher.finish.OpenWorkflows;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.ledger.AdmitLedger;
import dev.sluice.dispatcher.ledger.FinishLedger;
import dev.sluice.dispatcher.ledger.HandoverLedger;
import dev.sluice.dispatcher.ledger.SettleLedger;
import dev.sluice.dispatcher.ledger.WorkspaceLock;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.settle.Settlement;
import dev.sluice.dispatcher.simulator.ManualTimer;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.start.StartSettings;
import dev.sluice.dispatcher.start.StartSettingsFor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A pipeline over a database, all of whose workspaces are its own. Nobody listens to workflows, and
 * no start is ever answered.
 *
 * @param started whose start was asked for, in this order
 */
record PipelineParts(
    Pipeline pipeline,
    Settling settling,
    StartQueue starts,
    Admission admission,
    List<UUID> started) {
  private static final StartSettings START = StartSettingsFor.test(4, 8, 8);

  /**
   * @param onTime called whenever somebody asks what time it is, as whoever asks for room does
   */
  static PipelineParts over(JdbcTemplate jdbc, Runnable onTime) {
    var metrics = new DispatcherMetrics(new SimpleMeterRegistry());
    var us = UUID.randomUUID();
    var settling = new Settling(new SettleLedger(jdbc), metrics);
    var pipeline =
        new Pipeline(
            new WorkspaceLock(jdbc),
            new SettleLedger(jdbc),
            new FinishLedger(jdbc),
            new TransactionTemplate(
                new JdbcTransactionManager(requireNonNull(jdbc.getDataSource()))),
            new Settlement(START),
            settling,
            metrics,
            true);
    var started = new ArrayList<UUID>();
    var clock = new ManualTimer.Clock();
    var starts =
        new StartQueue(
            claim -> {
              started.add(claim.id());
              return new CompletableFuture<>();
            },
            pipeline,
            START,
            new ManualTimer(clock),
            () -> {
              onTime.run();
              return clock.nanos();
            });
    var admission =
        new Admission(
            new AdmitLedger(jdbc, us, Duration.ZERO),
            new HandoverLedger(jdbc, us),
            starts,
            new AdmitSettings(200, Duration.ZERO),
            metrics,
            new EveryWorkspaceIsOurs(),
            (work, after) -> {});
    pipeline.connect(admission, starts, new NobodyListens(), new NobodyCancels(), doubted -> {});
    return new PipelineParts(pipeline, settling, starts, admission, started);
  }

  private static final class EveryWorkspaceIsOurs implements Admission.Owner {
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
  }

  private static final class NobodyListens implements OpenWorkflows {
    @Override
    public void watch(UUID id, String workspaceId) {}

    @Override
    public void hint(UUID id, String workspaceId) {}

    @Override
    public void urgent(String workspaceId) {}

    @Override
    public void forget(UUID id) {}
  }

  private static final class NobodyCancels implements WorkflowCanceller {
    @Override
    public void cancel(UUID id, String workspaceId) {}

    @Override
    public void terminate(UUID id, String workspaceId) {}
  }
}
