package dev.sluice.ingest.publish;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.springframework.stereotype.Component;

/** Returns when the broker has the record on all its in-sync replicas, and not before. */
@Component
public class DurablePublisher {
  /** The producer gives up by itself; this only guards against its not doing so. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Producer<String, byte[]> producer;
  private final long waitMillis;

  DurablePublisher(Producer<String, byte[]> producer, PublishSettings settings) {
    this.producer = producer;
    this.waitMillis = settings.deliveryTimeout().plus(settings.maxBlock()).plus(GRACE).toMillis();
  }

  /**
   * Sends one record and waits for the acknowledgement.
   *
   * @throws KafkaAway when it was not acknowledged, in which case it may or may not have arrived
   */
  public void publish(ProducerRecord<String, byte[]> message) {
    try {
      producer.send(message).get(waitMillis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new KafkaAway("not acknowledged", e.getCause() == null ? e : e.getCause());
    } catch (KafkaException | TimeoutException e) {
      throw new KafkaAway("not sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaAway("stopped while waiting for the acknowledgement", e);
    }
  }
}
