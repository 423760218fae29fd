package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/** CloudEvents 1.0 on Kafka: written in binary mode, read in binary and structured mode. */
public final class CloudEvents {
  private static final String STRUCTURED = "application/cloudevents+json";
  private static final byte[] NO_DATA = {};

  private CloudEvents() {}

  /** The record is not a CloudEvent; the message says what is missing and quotes no payload. */
  public static final class NotACloudEvent extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotACloudEvent(String message, Throwable cause) {
      super(message, cause);
    }

    public NotACloudEvent(String message) {
      super(message);
    }
  }

  public static CloudEvent event(String id, String source, String type, byte[] json) {
    return builder(id, source, type, json).build();
  }

  /** For events that need a subject, a time or an extension on top. */
  public static CloudEventBuilder builder(String id, String source, String type, byte[] json) {
    return CloudEventBuilder.v1()
        .withId(id)
        .withSource(URI.create(source))
        .withType(type)
        .withData("application/json", json);
  }

  public static ProducerRecord<String, byte[]> toRecord(
      String topic, String key, CloudEvent event) {
    return KafkaMessageFactory.<String>createWriter(topic, key).writeBinary(event);
  }

  public static CloudEvent fromRecord(ConsumerRecord<?, byte[]> received) {
    try {
      return isStructured(received)
          ? StructuredEvent.read(received.value())
          : KafkaMessageFactory.createReader(received).toEvent();
    } catch (RuntimeException e) {
      // The SDK throws many types here, some with the payload in the message.
      throw new NotACloudEvent("is not a CloudEvent 1.0 in binary or structured mode", e);
    }
  }

  private static boolean isStructured(ConsumerRecord<?, byte[]> received) {
    Header type = received.headers().lastHeader("content-type");
    return type != null
        && type.value() != null
        && new String(type.value(), UTF_8).toLowerCase(Locale.ROOT).startsWith(STRUCTURED);
  }

  public static byte[] data(CloudEvent event) {
    CloudEventData data = event.getData();
    return data == null ? NO_DATA : data.toBytes();
  }
}
