package dev.sluice.ingest;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.ingest.status.TemporalSettings;
import dev.sluice.operate.KafkaHealth;
import dev.sluice.operate.PostgresHealth;
import dev.sluice.operate.PostgresStart;
import dev.sluice.operate.TemporalHealth;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Clock;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties
class IngestConfiguration {
  @Bean
  HikariDataSource dataSource(DatabaseSettings settings) {
    return PostgresStart.pool(
        "ingest", settings.url(), settings.user(), settings.password(), settings.connections());
  }

  /** Connects at the first call. */
  @Bean(destroyMethod = "shutdownNow")
  WorkflowServiceStubs temporal(TemporalSettings settings) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(settings.address()).build());
  }

  /** Only for the age of ids that other instances minted; everything else uses the database's. */
  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  HealthIndicator kafkaHealthIndicator(Admin admin) {
    return new KafkaHealth(admin);
  }

  @Bean
  HealthIndicator postgresqlHealthIndicator(DataSource database) {
    return new PostgresHealth(database);
  }

  @Bean
  HealthIndicator temporalHealthIndicator(WorkflowServiceStubs temporal) {
    return new TemporalHealth(temporal);
  }
}
