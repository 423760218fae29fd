package dev.sluice.contracts;

import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/** Signals to and from records of {@link Topics#SIGNALS}. */
public final class SignalCodec {
  /** A newer service may add a field; what we know of its signal still counts. */
  private static final ObjectReader READER =
      Json.MAPPER.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private SignalCodec() {}

  /** A record for the partitioner to place: by its key, the workspace. */
  public static ProducerRecord<String, byte[]> encode(Signal signal, String source) {
    return CloudEvents.toRecord(
        Topics.SIGNALS,
        signal.workspaceId(),
        CloudEvents.event(
            UUID.randomUUID().toString(),
            source,
            signal.type(),
            Json.MAPPER.writeValueAsBytes(signal)));
  }

  /**
   * Empty for what this version does not know: a newer service may say more than we understand, and
   * a signal is only a hint.
   */
  public static Optional<Signal> decode(ConsumerRecord<?, byte[]> received) {
    try {
      var event = CloudEvents.fromRecord(received);
      byte[] data = CloudEvents.data(event);
      return switch (event.getType()) {
        case Signal.Types.FINISHED -> Optional.of(read(data, Signal.Finished.class));
        case Signal.Types.REDRIVE -> Optional.of(read(data, Signal.Redrive.class));
        case Signal.Types.CAPACITY_CHANGED -> Optional.of(read(data, Signal.CapacityChanged.class));
        case Signal.Types.RETRY -> Optional.of(read(data, Signal.Retry.class));
        default -> Optional.empty();
      };
    } catch (JacksonException | CloudEvents.NotACloudEvent unreadable) {
      return Optional.empty();
    }
  }

  private static <T extends Signal> T read(byte[] data, Class<T> type) {
    T signal = READER.forType(type).readValue(data);
    if (signal == null) {
      throw new CloudEvents.NotACloudEvent("has no signal for data");
    }
    return signal;
  }
}
