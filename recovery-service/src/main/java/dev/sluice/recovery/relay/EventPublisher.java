package dev.sluice.recovery.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes in order, and waits for the broker however long it is away. */
final class EventPublisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventPublisher.class);
  private static final Duration LOOK_UP = Duration.ofMillis(200);
  private static final Duration COMPLAIN_AFTER = Duration.ofSeconds(5);
  private static final Duration COMPLAIN_EVERY = Duration.ofSeconds(30);

  /** As large as a record of the topic may be. */
  private static final int LARGEST_EVENT = 4 * 1024 * 1024;

  /** What the broker said to one record. */
  sealed interface Answer {
    record Acknowledged() implements Answer {}

    /** It will never take this one. */
    record Refused(String detail) implements Answer {}
  }

  private final Producer<String, byte[]> producer;
  private volatile boolean closing;
  private long complainNotBefore = System.nanoTime();

  EventPublisher(Map<String, Object> kafka) {
    this.producer =
        new KafkaProducer<>(config(kafka), new StringSerializer(), new ByteArraySerializer());
  }

  private static Map<String, Object> config(Map<String, Object> kafka) {
    var config = new HashMap<>(kafka);
    config.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
    config.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A record that expires while later ones get through would be a gap, then a change of order.
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1000);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_EVENT);
    return config;
  }

  /** Hands the record over; returns once it has its place in the order. */
  Future<RecordMetadata> send(ProducerRecord<String, byte[]> event) throws InterruptedException {
    long since = System.nanoTime();
    while (true) {
      stopIfClosing();
      var sent = producer.send(event);
      if (!foundNoRoom(sent)) {
        return sent;
      }
      complainAfterAWhile(since);
    }
  }

  /** Without topic metadata or room in the buffer the record was not taken at all. */
  private static boolean foundNoRoom(Future<RecordMetadata> sent) {
    return sent.isDone()
        && sent.state() == Future.State.FAILED
        && sent.exceptionNow() instanceof TimeoutException;
  }

  Answer await(Future<RecordMetadata> sent) throws InterruptedException {
    long since = System.nanoTime();
    while (true) {
      try {
        sent.get(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS);
        return new Answer.Acknowledged();
      } catch (java.util.concurrent.TimeoutException notYet) {
        stopIfClosing();
        complainAfterAWhile(since);
      } catch (ExecutionException e) {
        return refusal(e);
      }
    }
  }

  private static Answer refusal(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof RecordTooLargeException
        || cause instanceof RecordBatchTooLargeException
        || cause instanceof InvalidRecordException) {
      return new Answer.Refused(String.valueOf(cause.getMessage()));
    }
    throw new KafkaException("cannot publish lifecycle events", cause);
  }

  /** Not at once: a broker that is restarted answers within seconds. */
  private void complainAfterAWhile(long since) {
    long now = System.nanoTime();
    if (now - since > COMPLAIN_AFTER.toNanos() && now - complainNotBefore > 0) {
      log.atWarn().log("Kafka is away, the relay waits");
      complainNotBefore = now + COMPLAIN_EVERY.toNanos();
    }
  }

  private void stopIfClosing() throws InterruptedException {
    if (closing) {
      throw new InterruptedException("the relay is closing");
    }
  }

  /** Ends a wait without an answer: what has none is told again by the next stream. */
  void abandon() {
    closing = true;
  }

  @Override
  public void close() {
    closing = true;
    producer.close(Duration.ZERO);
  }
}
