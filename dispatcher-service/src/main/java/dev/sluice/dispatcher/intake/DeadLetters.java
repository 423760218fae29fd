package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.metrics.DispatcherMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What could not be read is kept, byte for byte, for somebody to look at. */
final class DeadLetters {
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final int LONGEST_DETAIL = 1000;

  private final Producer<byte[], byte[]> producer;
  private final DispatcherMetrics metrics;

  DeadLetters(Producer<byte[], byte[]> producer, DispatcherMetrics metrics) {
    this.producer = producer;
    this.metrics = metrics;
  }

  /** A record and why it is here. */
  record Letter(ConsumerRecord<byte[], byte[]> received, DeadLetterReason reason, String detail) {}

  /** Returns when the broker has them all: only then may the offsets move on. */
  void publish(List<Letter> letters) throws InterruptedException {
    var pending = new ArrayList<Future<?>>();
    for (Letter letter : letters) {
      pending.add(producer.send(toRecord(letter)));
    }
    for (Future<?> sent : pending) {
      try {
        sent.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the dead-letter topic takes no records", e.getCause());
      }
    }
    for (Letter letter : letters) {
      metrics.deadLetter();
      log.atWarn()
          .addKeyValue("reason", letter.reason())
          .addKeyValue("origin", origin(letter.received()))
          .log("record went to the dead-letter topic");
    }
  }

  private static ProducerRecord<byte[], byte[]> toRecord(Letter letter) {
    var received = letter.received();
    var copy =
        new ProducerRecord<byte[], byte[]>(
            Topics.DEAD_LETTERS, null, received.key(), received.value(), received.headers());
    // Names of ours in what came in are forgeries, and would be read as ours.
    for (String ours :
        List.of(
            DeadLetterReason.REASON_HEADER,
            DeadLetterReason.DETAIL_HEADER,
            DeadLetterReason.ORIGIN_HEADER)) {
      copy.headers().remove(ours);
    }
    String detail = letter.detail();
    copy.headers()
        .add(DeadLetterReason.REASON_HEADER, letter.reason().name().getBytes(UTF_8))
        .add(
            DeadLetterReason.DETAIL_HEADER,
            detail.substring(0, Math.min(detail.length(), LONGEST_DETAIL)).getBytes(UTF_8))
        .add(DeadLetterReason.ORIGIN_HEADER, origin(received).getBytes(UTF_8));
    return copy;
  }

  private static String origin(ConsumerRecord<?, ?> received) {
    return "%s-%d-%d".formatted(received.topic(), received.partition(), received.offset());
  }
}
