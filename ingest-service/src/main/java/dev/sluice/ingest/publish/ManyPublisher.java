package dev.sluice.ingest.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.springframework.stereotype.Component;

/**
 * Sends thousands of records, each on its own, and waits for the acknowledgement of all. Unlike a
 * batch they are not all or none: each of them stands for itself and may be sent again.
 */
@Component
public class ManyPublisher {
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Producer<String, byte[]> producer;
  private final long patience;

  ManyPublisher(Producer<String, byte[]> producer, PublishSettings settings) {
    this.producer = producer;
    this.patience = settings.deliveryTimeout().plus(GRACE).toNanos();
  }

  /**
   * What became of them.
   *
   * @param failure the first, when not all were acknowledged
   */
  public record Sent(int acknowledged, Optional<KafkaAway> failure) {}

  public Sent publish(List<ProducerRecord<String, byte[]>> messages) {
    var sends = new ArrayList<Future<RecordMetadata>>(messages.size());
    Optional<KafkaAway> failure = Optional.empty();
    try {
      for (var message : messages) {
        Future<RecordMetadata> send = producer.send(message);
        sends.add(send);
        // With Kafka away each send blocks for a while only to fail: one is enough.
        if (send.state() == Future.State.FAILED) {
          break;
        }
      }
    } catch (KafkaException e) {
      failure = Optional.of(new KafkaAway("not sent", e));
    }
    int acknowledged = 0;
    long deadline = System.nanoTime() + patience;
    for (var send : sends) {
      Optional<KafkaAway> problem = await(send, deadline);
      if (problem.isEmpty()) {
        acknowledged++;
      } else if (failure.isEmpty()) {
        failure = problem;
      }
    }
    return new Sent(acknowledged, failure);
  }

  private static Optional<KafkaAway> await(Future<RecordMetadata> send, long deadline) {
    try {
      send.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(
          new KafkaAway("not acknowledged", e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException e) {
      return Optional.of(new KafkaAway("not acknowledged in time", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(new KafkaAway("stopped while waiting for acknowledgements", e));
    }
  }
}
