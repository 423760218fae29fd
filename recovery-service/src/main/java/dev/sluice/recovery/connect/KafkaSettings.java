package dev.sluice.recovery.connect;

import dev.sluice.operate.Check;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Of Kafka, what spring.kafka.* does not say.
 *
 * @param partitions of the topics, when this service is the first to start and makes them
 */
@ConfigurationProperties("sluice.kafka")
public record KafkaSettings(@DefaultValue("12") int partitions) {

  public KafkaSettings {
    Check.within("SLUICE_PARTITIONS (sluice.kafka.partitions)", partitions, 1, 10_000, "12");
  }
}
