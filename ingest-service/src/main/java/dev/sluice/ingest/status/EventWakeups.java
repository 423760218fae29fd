package dev.sluice.ingest.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Follows lifecycle events from the end of the topic, without a group, and wakes who waits for
 * them. When nobody waited for a while it rests, so an idle window costs nothing.
 */
@Component
class EventWakeups implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(EventWakeups.class);
  private static final Set<String> ENDS =
      Set.of(
          EventTypes.lifecycle("closed"),
          EventTypes.lifecycle("failed"),
          EventTypes.lifecycle("cancelled"),
          EventTypes.lifecycle("expired"));
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Waiters waiters;
  private final Map<String, Object> config;
  private final long idleNanos;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("ingest-events").unstarted(this::follow);
  private volatile boolean running;
  private volatile @Nullable KafkaConsumer<byte[], byte[]> current;

  EventWakeups(Waiters waiters, KafkaProperties kafka, StatusSettings settings) {
    this.waiters = waiters;
    this.idleNanos = settings.idle().toNanos();
    this.config = new HashMap<>(kafka.buildConsumerProperties());
    config.remove(ConsumerConfig.GROUP_ID_CONFIG);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 256 * 1024);
  }

  @Override
  public void start() {
    running = true;
    thread.start();
  }

  @Override
  public void stop() {
    running = false;
    var consumer = current;
    if (consumer == null) {
      thread.interrupt();
    } else {
      // Not by an interrupt: with one pending, the consumer cannot close in order.
      consumer.wakeup();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void follow() {
    try {
      while (running) {
        if (followOnce()) {
          waiters.awaitSomebody();
        } else {
          TimeUnit.SECONDS.sleep(1);
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when nobody waits any more, false when it could not go on. */
  private boolean followOnce() {
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      current = consumer;
      followUntilIdle(consumer);
      return true;
    } catch (KafkaException e) {
      if (running) {
        log.atWarn().addKeyValue("cause", e.getMessage()).log("events cannot be followed");
      }
      return false;
    } finally {
      current = null;
    }
  }

  private void followUntilIdle(KafkaConsumer<byte[], byte[]> consumer) {
    var partitions =
        consumer.partitionsFor(Topics.EVENTS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    long lastWaited = System.nanoTime();
    while (running && System.nanoTime() - lastWaited < idleNanos) {
      consumer.poll(POLL).forEach(this::wake);
      if (!waiters.isEmpty()) {
        lastWaited = System.nanoTime();
      }
    }
  }

  /** The headers say all that is needed; the payload stays unread. */
  private void wake(ConsumerRecord<byte[], byte[]> event) {
    id(event).ifPresent(id -> waiters.wake(id, ENDS.contains(header(event, "ce_type").orElse(""))));
  }

  private static Optional<UUID> id(ConsumerRecord<byte[], byte[]> event) {
    try {
      return header(event, "ce_subject").map(UUID::fromString);
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  private static Optional<String> header(ConsumerRecord<byte[], byte[]> event, String name) {
    var header = event.headers().lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), UTF_8));
  }
}
