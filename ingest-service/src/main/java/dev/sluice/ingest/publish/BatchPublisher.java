package dev.sluice.ingest.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * All or none: each batch is one Kafka transaction, and dispatchers read committed records only.
 * Single requests do not pay for this.
 */
@Component
public class BatchPublisher implements AutoCloseable {
  /** Longer than any batch takes; a crashed instance holds up readers no longer than this. */
  private static final int TRANSACTION_MILLIS = 15_000;

  private final BlockingQueue<Slot> slots;
  private final Map<String, Object> config;
  private final Duration patience;

  BatchPublisher(KafkaProperties kafka, PublishSettings settings) {
    this.config = KafkaConfiguration.producerConfig(kafka, settings);
    this.patience = settings.deliveryTimeout();
    // Begin and commit wait for the broker, unlike a send, so they get the time a delivery gets.
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, patience.toMillis());
    config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS);
    this.slots = new ArrayBlockingQueue<>(settings.batchProducers());
    String instance = UUID.randomUUID().toString();
    for (int i = 0; i < settings.batchProducers(); i++) {
      slots.add(new Slot("sluice-ingest-" + instance + "-" + i));
    }
  }

  /**
   * Sends all of them, or none as far as readers can see.
   *
   * @throws KafkaAway when the commit is not certain; then all of them arrived, or none did
   */
  public void publish(List<ProducerRecord<String, byte[]>> batch) {
    Slot slot = take();
    try {
      slot.publish(batch);
    } finally {
      slots.add(slot);
    }
  }

  @Override
  public void close() {
    slots.forEach(Slot::close);
  }

  private Slot take() {
    try {
      Slot slot = slots.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (slot == null) {
        throw new KafkaAway("all producers of batches are busy");
      }
      return slot;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAway("stopped while waiting for a producer", e);
    }
  }

  /**
   * A transactional id and its producer, made when first needed. After an error the next producer
   * gets the same id, which ends at once whatever the last one left open.
   */
  private final class Slot {
    private final String transactionalId;
    private @Nullable Producer<String, byte[]> producer;

    Slot(String transactionalId) {
      this.transactionalId = transactionalId;
    }

    void publish(List<ProducerRecord<String, byte[]>> batch) {
      try {
        var ready = producer == null ? open() : producer;
        ready.beginTransaction();
        List<Future<RecordMetadata>> sends = batch.stream().map(ready::send).toList();
        ready.commitTransaction();
        if (!sends.stream().allMatch(Future::isDone)) {
          throw new IllegalStateException("a transaction was committed before its records");
        }
      } catch (KafkaException e) {
        abort();
        throw new KafkaAway("batch of " + batch.size() + " not committed", e);
      }
    }

    private Producer<String, byte[]> open() {
      var mine = new HashMap<>(config);
      mine.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
      var opened = new KafkaProducer<>(mine, new StringSerializer(), new ByteArraySerializer());
      producer = opened;
      opened.initTransactions();
      return opened;
    }

    /** So that readers need not wait for the transaction to time out. */
    private void abort() {
      var broken = producer;
      producer = null;
      if (broken == null) {
        return;
      }
      try {
        broken.abortTransaction();
      } catch (KafkaException | IllegalStateException cannot) {
        // The next producer with this id, or the broker's own timeout, ends it.
      } finally {
        broken.close(Duration.ZERO);
      }
    }

    void close() {
      if (producer != null) {
        producer.close(Duration.ofSeconds(1));
      }
    }
  }
}
