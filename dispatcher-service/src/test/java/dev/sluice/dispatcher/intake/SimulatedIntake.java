package dev.sluice.dispatcher.intake;

import dev.sluice.dispatcher.intake.IntakeConfiguration.Listeners;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import org.apache.kafka.clients.producer.Producer;

/** Hands the simulator what only this package may make. */
public final class SimulatedIntake {
  private SimulatedIntake() {}

  public static RecordListener listener(
      Intake.Store store,
      IntakeLedger ledger,
      Backlog backlog,
      Producer<byte[], byte[]> deadLetters,
      DispatcherMetrics metrics,
      Listeners listeners) {
    var intake =
        new Intake(
            store,
            ledger,
            backlog,
            new DeadLetters(deadLetters, metrics),
            listeners.accepted(),
            listeners.cancels(),
            metrics.traces(),
            new Parts(1));
    return new RecordListener(intake, listeners.signals());
  }
}
