package dev.sluice.dispatcher.intake;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.ledger.FinishLedger.Named;
import dev.sluice.dispatcher.ledger.IntakeLedger;
import dev.sluice.dispatcher.ledger.IntakeLedger.Accepted;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.ExponentialBackOff;

/** Puts the consumer together. */
public final class IntakeConfiguration {
  /** One for each consumer, when there is something to store aside. */
  private static final ThreadFactory THREADS =
      Thread.ofPlatform().name("sluice-intake-aside-", 0).daemon().factory();

  private IntakeConfiguration() {}

  /** Whom to tell of what. */
  public record Listeners(
      Consumer<Accepted> accepted,
      Consumer<List<Named>> cancels,
      Consumer<Signal> signals,
      Consumer<List<Integer>> gained,
      Consumer<List<Integer>> lost) {}

  /**
   * @param isFull whether nothing of this workspace can start until something of it ends
   */
  public static ConcurrentMessageListenerContainer<byte[], byte[]> container(
      Map<String, Object> kafka,
      IntakeSettings settings,
      Intake.Store store,
      IntakeLedger ledger,
      Backlog backlog,
      Producer<byte[], byte[]> deadLetterProducer,
      DispatcherMetrics metrics,
      Predicate<String> isFull,
      Listeners listeners) {
    var properties = new ContainerProperties(Topics.REQUESTS, Topics.SIGNALS);
    properties.setGroupId(Topics.DISPATCHER_GROUP);
    properties.setAckMode(ContainerProperties.AckMode.TIME);
    properties.setAckTime(settings.commitEvery().toMillis());
    properties.setPollTimeout(settings.commitEvery().toMillis()); // the last of a burst, too
    properties.setConsumerRebalanceListener(new Assignments(listeners.gained(), listeners.lost()));
    var intake =
        new Intake(
            store,
            ledger,
            backlog,
            new DeadLetters(deadLetterProducer, metrics),
            listeners.accepted(),
            listeners.cancels(),
            metrics.traces(),
            new Parts(settings.writers()));
    var listener = new RecordListener(intake, listeners.signals());
    properties.setMessageListener(listener);
    Executor threads = Executors.newCachedThreadPool(THREADS);
    Aside.Storing aside =
        records -> CompletableFuture.runAsync(() -> listener.onMessage(records), threads);
    Supplier<HeldBack> heldBack =
        () -> new HeldBack(isFull, aside, listener::onMessage, System::nanoTime);
    var container =
        new ConcurrentMessageListenerContainer<>(
            gathering(consumer(kafka, settings), heldBack), properties);
    container.setConcurrency(settings.consumers());
    container.setBeanName("sluice-intake");
    container.setCommonErrorHandler(new DefaultErrorHandler(forEver()));
    return container;
  }

  private static ConsumerFactory<byte[], byte[]> gathering(
      Map<String, Object> config, Supplier<HeldBack> heldBack) {
    return new DefaultKafkaConsumerFactory<>(config) {
      @Override
      protected GatheringConsumer createRawConsumer(Map<String, Object> ofThread) {
        return new GatheringConsumer(ofThread, heldBack.get());
      }
    };
  }

  /** An outage is not a failure: the same batch is tried until PostgreSQL and Kafka take it. */
  private static ExponentialBackOff forEver() {
    var backOff = new ExponentialBackOff(200, 2);
    backOff.setMaxInterval(2000);
    return backOff;
  }

  static Map<String, Object> consumer(Map<String, Object> kafka, IntakeSettings settings) {
    var config = new HashMap<>(kafka);
    config.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, settings.batchSize());
    config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, settings.groupProtocol());
    if (settings.groupProtocol().equals("consumer")) {
      config.put(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG, "range");
      // While no broker answers, this consumer starts over from the bootstrap servers without a
      // pause: thousands of log lines a second and a core kept busy. It finds its brokers again
      // without that.
      config.putIfAbsent(
          CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG,
          MetadataRecoveryStrategy.NONE.name);
    } else {
      // Requests and signals of a workspace go to the same consumer.
      config.put(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, RangeAssignor.class.getName());
      int session = Math.toIntExact(settings.sessionTimeout().toMillis());
      config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, session);
      config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Math.max(100, session / 5));
    }
    return config;
  }
}
