package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A CloudEvent in structured mode. The SDK's own format reads numbers as doubles, so that 1.10
 * comes out as 1.1 and the ninth nine of a large amount is lost: ours keeps every digit.
 */
final class StructuredEvent {
  private static final String JSON = "application/json";

  private final CloudEventBuilder event = CloudEventBuilder.v1();
  private @Nullable String contentType;
  private @Nullable JsonNode data;
  private byte @Nullable [] binaryData;

  private StructuredEvent() {}

  /** Throws a RuntimeException of any kind when it is none. */
  static CloudEvent read(byte[] value) {
    if (!(Json.MAPPER.readTree(value) instanceof ObjectNode envelope)) {
      throw new IllegalArgumentException("must be a JSON object");
    }
    var reader = new StructuredEvent();
    envelope.properties().forEach(reader::attribute);
    if (!envelope.has("specversion")) {
      throw new IllegalArgumentException("specversion is required");
    }
    return reader.finish();
  }

  private void attribute(Map.Entry<String, JsonNode> attribute) {
    JsonNode value = attribute.getValue();
    if (value.isNull()) {
      return;
    }
    switch (attribute.getKey()) {
      case "specversion" -> requireVersion(text(value));
      case "id" -> event.withId(text(value));
      case "source" -> event.withSource(URI.create(text(value)));
      case "type" -> event.withType(text(value));
      case "subject" -> event.withSubject(text(value));
      case "time" -> event.withTime(OffsetDateTime.parse(text(value)));
      case "dataschema" -> event.withDataSchema(URI.create(text(value)));
      case "datacontenttype" -> contentType = text(value);
      case "data" -> data = value;
      case "data_base64" -> binaryData = value.binaryValue();
      default -> extension(attribute.getKey(), value);
    }
  }

  private void extension(String name, JsonNode value) {
    switch (value.getNodeType()) {
      case STRING -> event.withExtension(name, value.asString());
      case BOOLEAN -> event.withExtension(name, value.asBoolean());
      case NUMBER -> event.withExtension(name, value.numberValue());
      default -> throw new IllegalArgumentException("an extension must be a simple value");
    }
  }

  private CloudEvent finish() {
    if (data != null && binaryData != null) {
      throw new IllegalArgumentException("has data and data_base64");
    }
    String type = Objects.requireNonNullElse(contentType, JSON);
    if (data != null) {
      event.withData(type, bytes(data, type));
    } else if (binaryData != null) {
      event.withData(type, binaryData);
    } else if (contentType != null) {
      event.withDataContentType(contentType);
    }
    return event.build();
  }

  /** Data of a type that is not JSON stands in the envelope as a string. */
  private static byte[] bytes(JsonNode data, String type) {
    return data.isString() && !type.contains("json")
        ? data.asString().getBytes(UTF_8)
        : Json.MAPPER.writeValueAsBytes(data);
  }

  private static void requireVersion(String version) {
    if (!version.equals("1.0")) {
      throw new IllegalArgumentException("specversion must be 1.0");
    }
  }

  private static String text(JsonNode value) {
    if (!value.isString()) {
      throw new IllegalArgumentException("an attribute must be a string");
    }
    return value.asString();
  }
}
