package dev.sluice.dispatcher.intake;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How requests are taken from Kafka.
 *
 * @param batchSize records of one poll, at most; a small one may be stored with the next
 * @param writers how many parts of a large batch are stored at a time
 * @param consumers threads, each with its share of the partitions
 * @param groupProtocol classic, or consumer (KIP-848) where the brokers have it
 * @param sessionTimeout after which a silent dispatcher's partitions go to another (classic; with
 *     the consumer protocol the broker's own setting counts)
 * @param partitions of the topics, when they are made by us
 * @param commitEvery how often offsets are committed; what comes again after a crash is known by
 *     its id, so this is only a matter of cost and of how fresh the lag is that people see
 * @param sweepEvery how often the owner looks for work that nobody told it of
 */
@ConfigurationProperties("sluice.intake")
public record IntakeSettings(
    @DefaultValue("1000") int batchSize,
    @DefaultValue("2") int writers,
    @DefaultValue("1") int consumers,
    @DefaultValue("classic") String groupProtocol,
    @DefaultValue("10s") Duration sessionTimeout,
    @DefaultValue("12") int partitions,
    @DefaultValue("100ms") Duration commitEvery,
    @DefaultValue("30s") Duration sweepEvery) {

  public IntakeSettings {
    Check.atLeast("sluice.intake.batch-size", batchSize, 1, "1000");
    Check.atLeast("sluice.intake.writers", writers, 1, "2");
    Check.atLeast("sluice.intake.consumers", consumers, 1, "1");
    Check.within("SLUICE_PARTITIONS (sluice.intake.partitions)", partitions, 1, 10_000, "12");
    Check.that(
        groupProtocol.equals("classic") || groupProtocol.equals("consumer"),
        "sluice.intake.group-protocol",
        groupProtocol,
        "classic or consumer",
        "classic");
    Check.positive("sluice.intake.session-timeout", sessionTimeout, "10s");
    Check.positive("sluice.intake.commit-every", commitEvery, "100ms");
    Check.positive("sluice.intake.sweep-every", sweepEvery, "30s");
  }
}
