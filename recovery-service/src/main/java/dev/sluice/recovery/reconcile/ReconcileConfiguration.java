package dev.sluice.recovery.reconcile;

import dev.sluice.recovery.connect.TemporalSettings;
import dev.sluice.recovery.signal.SignalSender;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.serviceclient.WorkflowServiceStubs;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class ReconcileConfiguration {
  @Bean
  Reconciler reconciler(
      JdbcClient database,
      WorkflowServiceStubs temporal,
      TemporalSettings where,
      SignalSender signals,
      ReconcileSettings settings,
      MeterRegistry meters) {
    return new Reconciler(
        new ReconcileLedger(database),
        new TemporalClient(temporal, where.namespace()),
        signals,
        new Leaks(meters),
        settings);
  }
}
