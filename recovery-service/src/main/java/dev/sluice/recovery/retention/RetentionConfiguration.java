package dev.sluice.recovery.retention;

import dev.sluice.recovery.connect.TemporalSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.serviceclient.WorkflowServiceStubs;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class RetentionConfiguration {
  @Bean
  Retention retention(
      JdbcClient database,
      WorkflowServiceStubs temporal,
      TemporalSettings where,
      RetentionSettings settings,
      MeterRegistry meters) {
    return new Retention(
        new RetentionLedger(database),
        new TemporalRetention(temporal, where.namespace()),
        settings,
        meters);
  }
}
