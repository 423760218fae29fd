package dev.sluice.ingest.publish;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import dev.sluice.contracts.Topics;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Tells dispatchers that a limit changed, so that it takes effect at once. Only a hint: the change
 * is committed, and their own sweep finds it too, so a signal that cannot be sent fails nothing.
 */
@Component
public class CapacitySignals {
  /** Stands for every workspace of the partition the record is on. */
  public static final String EVERY_WORKSPACE = "*";

  private static final Logger log = LoggerFactory.getLogger(CapacitySignals.class);

  private final Producer<String, byte[]> producer;

  CapacitySignals(Producer<String, byte[]> producer) {
    this.producer = producer;
  }

  public void changed(String workspace) {
    try {
      send(SignalCodec.encode(new Signal.CapacityChanged(workspace), EventTypes.INGEST_SOURCE));
    } catch (KafkaException e) {
      logFailure(workspace, e);
    }
  }

  /** One record on each partition, for each is another dispatcher's. */
  public void changedEverywhere() {
    var signal =
        SignalCodec.encode(new Signal.CapacityChanged(EVERY_WORKSPACE), EventTypes.INGEST_SOURCE);
    try {
      producer
          .partitionsFor(Topics.SIGNALS)
          .forEach(partition -> send(on(partition.partition(), signal)));
    } catch (KafkaException e) {
      logFailure(EVERY_WORKSPACE, e);
    }
  }

  private void send(ProducerRecord<String, byte[]> signal) {
    var acknowledgedLater = producer.send(signal, (metadata, e) -> logFailure(signal.key(), e));
    log.atTrace().addKeyValue("sent", acknowledgedLater.isDone()).log("capacity signal");
  }

  private static ProducerRecord<String, byte[]> on(
      int partition, ProducerRecord<String, byte[]> signal) {
    return new ProducerRecord<>(
        signal.topic(), partition, signal.key(), signal.value(), signal.headers());
  }

  private static void logFailure(String workspace, @Nullable Exception e) {
    if (e != null) {
      log.atWarn()
          .addKeyValue("workspace", workspace)
          .addKeyValue("cause", e.getMessage())
          .log("capacity signal not sent; dispatchers find the change by their sweep");
    }
  }
}
