package dev.sluice.operate;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Without Kafka nothing can be accepted. */
public final class KafkaHealth implements HealthIndicator {
  private static final int PATIENCE_SECONDS = 2;

  private final Admin admin;
  private final Supplier<Map<String, Object>> details;

  public KafkaHealth(Admin admin) {
    this(admin, Map::of);
  }

  /**
   * @param details what else is to be shown while it is up
   */
  public KafkaHealth(Admin admin, Supplier<Map<String, Object>> details) {
    this.admin = admin;
    this.details = details;
  }

  @Override
  public Health health() {
    try {
      int brokers = admin.describeCluster().nodes().get(PATIENCE_SECONDS, TimeUnit.SECONDS).size();
      return brokers == 0
          ? Away.stops("Kafka")
          : Health.up().withDetail("brokers", brokers).withDetails(details.get()).build();
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return Away.stops("Kafka");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Health.unknown().build();
    }
  }
}
