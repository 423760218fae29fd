package dev.sluice.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.actuate.endpoint.SimpleStatusAggregator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Each server that is away is told by its name. */
class HealthTest {
  private static final String NOBODY = "127.0.0.1:1";

  @Test
  void withoutKafkaItIsDown() {
    try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, NOBODY))) {
      assertDown(new KafkaHealth(admin).health(), "Kafka away");
      admin.close(java.time.Duration.ZERO);
    }
  }

  @Test
  void withoutPostgresqlItIsDown() {
    var database =
        new AbstractDataSource() {
          @Override
          public java.sql.Connection getConnection() throws SQLException {
            throw new SQLException("refused");
          }

          @Override
          public java.sql.Connection getConnection(String user, String password)
              throws SQLException {
            throw new SQLException("refused");
          }
        };
    assertDown(new PostgresHealth(database).health(), "PostgreSQL away");
  }

  @Test
  void withoutTemporalItSaysSoAndStaysReady() {
    var temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(NOBODY).build());
    Health health = new TemporalHealth(temporal).health();
    temporal.shutdownNow();
    assertThat(health.getDetails()).containsEntry("reason", "Temporal away");
    assertThat(new SimpleStatusAggregator().getAggregateStatus(Status.UP, health.getStatus()))
        .isEqualTo(Status.UP);
  }

  private static void assertDown(Health health, String reason) {
    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails()).containsEntry("reason", reason);
  }
}
