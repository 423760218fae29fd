package dev.sluice.dispatcher;

import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.intake.IntakeSettings;
import dev.sluice.dispatcher.owner.Ownership;
import dev.sluice.dispatcher.temporal.TemporalSettings;
import dev.sluice.operate.KafkaStart;
import dev.sluice.operate.PostgresStart;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The way to PostgreSQL, Kafka and Temporal. */
@Configuration(proxyBeanMethods = false)
class ServerConfiguration {
  /**
   * The same few statements all day, with arrays of one item or of a thousand: planning one anew
   * for a single item takes many times as long as running it.
   */
  private static final String PLANNED_ONCE = "plan_cache_mode=force_generic_plan";

  @Bean
  DataSource dataSource(DatabaseSettings settings) {
    return PostgresStart.pool(
        "dispatcher",
        settings.url(),
        settings.user(),
        settings.password(),
        settings.connections(),
        PLANNED_ONCE);
  }

  @Bean(destroyMethod = "shutdownNow")
  WorkflowServiceStubs temporal(TemporalSettings settings) {
    return WorkflowServiceStubs.newServiceStubs(settings.connection().build());
  }

  @Bean
  Ownership ownership(KafkaProperties kafka, IntakeSettings settings) throws InterruptedException {
    return new Ownership(KafkaStart.topics(kafka.buildAdminProperties(), settings.partitions()));
  }

  @Bean(destroyMethod = "close")
  Producer<String, byte[]> signalProducer(KafkaProperties kafka) {
    return new KafkaProducer<>(
        producer(kafka, 1024 * 1024), new StringSerializer(), new ByteArraySerializer());
  }

  @Bean(destroyMethod = "close")
  Producer<byte[], byte[]> deadLetterProducer(KafkaProperties kafka) {
    return new KafkaProducer<>(
        producer(kafka, Topics.LARGEST_DEAD_LETTER),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static Map<String, Object> producer(KafkaProperties kafka, int largestRecord) {
    var config = new HashMap<>(kafka.buildProducerProperties());
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5000);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largestRecord);
    return config;
  }
}
