package dev.sluice.ingest.publish;

import dev.sluice.operate.KafkaStart;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clients; addresses, TLS and SASL come from spring.kafka.*. */
@Configuration(proxyBeanMethods = false)
class KafkaConfiguration {
  private static final int REQUEST_MILLIS = 3000;
  private static final int START_MILLIS = 8000;

  /** Has made the topics when it is there, so nothing that uses it finds them missing. */
  @Bean(destroyMethod = "")
  Admin kafkaAdminClient(KafkaProperties kafka, PublishSettings settings)
      throws InterruptedException {
    var config = new HashMap<>(kafka.buildAdminProperties());
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, START_MILLIS);
    var _ = KafkaStart.topics(config, settings.partitions());
    return Admin.create(config);
  }

  @Bean
  AdminCloser adminCloser(Admin admin) {
    return new AdminCloser(admin);
  }

  /** A close without a limit would wait for calls to a broker that is gone. */
  record AdminCloser(Admin admin) implements AutoCloseable {
    @Override
    public void close() {
      admin.close(Duration.ofSeconds(1));
    }
  }

  @Bean(destroyMethod = "close")
  Producer<String, byte[]> producer(KafkaProperties kafka, PublishSettings settings) {
    return new KafkaProducer<>(
        producerConfig(kafka, settings), new StringSerializer(), new ByteArraySerializer());
  }

  static Map<String, Object> producerConfig(KafkaProperties kafka, PublishSettings settings) {
    var config = new HashMap<>(kafka.buildProducerProperties());
    int delivery = Math.toIntExact(settings.deliveryTimeout().toMillis());
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(REQUEST_MILLIS, delivery));
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, settings.maxBlock().toMillis());
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return config;
  }
}
