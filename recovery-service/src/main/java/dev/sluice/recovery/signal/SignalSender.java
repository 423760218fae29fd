package dev.sluice.recovery.signal;

import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.Signal;
import dev.sluice.contracts.SignalCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Tells the owners of workspaces what to look at. */
public class SignalSender implements AutoCloseable {
  private static final int DELIVERY_MILLIS = 20_000;
  private static final int REQUEST_MILLIS = 5_000;

  private final Producer<String, byte[]> producer;

  public SignalSender(Map<String, Object> kafka) {
    var config = new HashMap<>(kafka);
    config.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
    config.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_MILLIS);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
  }

  /** Returns when the broker has all of them; a failure means some may be missing. */
  public void send(Collection<? extends Signal> signals) throws InterruptedException {
    var sent = new ArrayList<Future<?>>(signals.size());
    for (Signal signal : signals) {
      sent.add(producer.send(SignalCodec.encode(signal, EventTypes.RECOVERY_SOURCE)));
    }
    for (var one : sent) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new KafkaException("cannot send a signal, the next round will", e.getCause());
      }
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}
