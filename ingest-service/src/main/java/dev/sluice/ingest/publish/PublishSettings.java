package dev.sluice.ingest.publish;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How requests get to Kafka.
 *
 * @param partitions of the topics, when this service is the first to start and makes them
 * @param deliveryTimeout how long Kafka may take to acknowledge before the caller gets 503
 * @param maxBlock how long a send may wait for room or for the topic's partitions
 * @param batchProducers how many batches may be in a Kafka transaction at once
 * @param fastCapacity requests with durability=fast held in memory before 503
 * @param fastBytes the same in bytes
 * @param fastFlush how long a stop waits for them to be written
 */
@ConfigurationProperties("sluice.publish")
public record PublishSettings(
    @DefaultValue("12") int partitions,
    @DefaultValue("10s") Duration deliveryTimeout,
    @DefaultValue("2s") Duration maxBlock,
    @DefaultValue("4") int batchProducers,
    @DefaultValue("10000") int fastCapacity,
    @DefaultValue("64MB") DataSize fastBytes,
    @DefaultValue("10s") Duration fastFlush) {
  public PublishSettings {
    Check.within("SLUICE_PARTITIONS (sluice.publish.partitions)", partitions, 1, 10_000, "12");
    Check.within(
        "sluice.publish.delivery-timeout",
        deliveryTimeout,
        Duration.ofSeconds(1),
        Duration.ofMinutes(2),
        "10s");
    Check.within(
        "sluice.publish.max-block", maxBlock, Duration.ofMillis(100), Duration.ofMinutes(1), "2s");
    Check.within("sluice.publish.batch-producers", batchProducers, 1, 64, "4");
    Check.within("sluice.publish.fast-capacity", fastCapacity, 1, 10_000_000, "10000");
    Check.within("sluice.publish.fast-bytes", fastBytes.toBytes(), 1 << 20, 1L << 40, "64MB");
    Check.within(
        "sluice.publish.fast-flush", fastFlush, Duration.ZERO, Duration.ofMinutes(10), "10s");
  }
}
