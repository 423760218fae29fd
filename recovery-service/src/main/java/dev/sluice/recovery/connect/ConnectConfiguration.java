package dev.sluice.recovery.connect;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.operate.KafkaHealth;
import dev.sluice.operate.KafkaStart;
import dev.sluice.operate.PostgresHealth;
import dev.sluice.operate.PostgresStart;
import dev.sluice.operate.TemporalHealth;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The three servers; TLS and SASL of Kafka come from spring.kafka.*. */
@Configuration(proxyBeanMethods = false)
class ConnectConfiguration {
  @Bean
  HikariDataSource dataSource(DatabaseSettings settings) {
    return PostgresStart.pool(
        "recovery", settings.url(), settings.user(), settings.password(), settings.connections());
  }

  @Bean
  InitializingBean topics(KafkaProperties kafka, KafkaSettings settings) {
    return () -> {
      var _ = KafkaStart.topics(kafka.buildAdminProperties(), settings.partitions());
    };
  }

  /** Connects at the first call: a Temporal that is away does not stop the relay. */
  @Bean(destroyMethod = "shutdown")
  WorkflowServiceStubs temporal(TemporalSettings settings) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(settings.address()).build());
  }

  @Bean(destroyMethod = "close")
  Admin admin(KafkaProperties kafka) {
    return Admin.create(kafka.buildAdminProperties());
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
