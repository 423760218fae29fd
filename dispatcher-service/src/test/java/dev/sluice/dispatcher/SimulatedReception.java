package dev.sluice.dispatcher;

import dev.sluice.dispatcher.admit.Admission;
import dev.sluice.dispatcher.finish.CloseWatcher;
import dev.sluice.dispatcher.finish.WorkflowCanceller;
import dev.sluice.dispatcher.intake.Backlog;
import dev.sluice.dispatcher.intake.IntakeConfiguration.Listeners;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.dispatcher.takeover.TakeoverLoop;
import dev.sluice.dispatcher.wake.WakerLoop;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Hands the simulator what only this package may make. */
public final class SimulatedReception {
  private SimulatedReception() {}

  public static Listeners listeners(
      Pipeline pipeline,
      Admission admission,
      StartQueue starts,
      CloseWatcher watcher,
      WorkflowCanceller canceller,
      TakeoverLoop takeover,
      WakerLoop waker,
      Ownership ownership,
      Backlog backlog,
      DispatcherMetrics metrics,
      TransactionTemplate transaction,
      JdbcTemplate jdbc) {
    var reception =
        new Reception(
            pipeline,
            admission,
            starts,
            watcher,
            canceller,
            takeover,
            waker,
            ownership,
            backlog,
            metrics,
            transaction,
            jdbc);
    return new Listeners(
        reception::accepted,
        reception::cancels,
        reception::signal,
        reception::gained,
        reception::lost);
  }
}
