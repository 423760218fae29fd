package dev.sluice.dispatcher;

import dev.sluice.dispatcher.ledger.GaugeLedger;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import dev.sluice.dispatcher.metrics.QueueGauges;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.start.StartQueue;
import dev.sluice.operate.KafkaHealth;
import dev.sluice.operate.PostgresHealth;
import dev.sluice.operate.TemporalHealth;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an operator can see of this service. */
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {
  @Bean(destroyMethod = "close")
  Admin admin(KafkaProperties kafka) {
    return Admin.create(kafka.buildAdminProperties());
  }

  @Bean
  HealthIndicator kafkaHealthIndicator(Admin admin, Ownership ownership) {
    return new KafkaHealth(admin, () -> Map.of("partitions", ownership.assigned().size()));
  }

  @Bean
  HealthIndicator postgresqlHealthIndicator(DataSource database) {
    return new PostgresHealth(database);
  }

  @Bean
  HealthIndicator temporalHealthIndicator(WorkflowServiceStubs temporal) {
    return new TemporalHealth(temporal);
  }

  /** For liveness: nothing but a restart brings that thread back. */
  @Bean
  HealthIndicator pipelineHealthIndicator(PipelineLoop loop) {
    return () -> loop.hasDied() ? Health.down().build() : Health.up().build();
  }

  @Bean
  QueueGauges queueGauges(JdbcTemplate jdbc, DispatcherMetrics metrics, StartQueue starts) {
    metrics.gauge(
        "sluice.breaker.open", "1 while Temporal is away", () -> starts.isTemporalAway() ? 1 : 0);
    metrics.gauge("sluice.starts.under.way", "claims on their way to Temporal", starts::size);
    return new QueueGauges(new GaugeLedger(jdbc), metrics, System::nanoTime);
  }
}
