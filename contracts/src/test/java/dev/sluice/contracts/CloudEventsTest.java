package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.kafka.KafkaMessageFactory;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsTest {
  private static final String DATA =
      "{\"price\":1.10,\"count\":123456789012345678901234567890,\"at\":1E+400,\"text\":\"ü😀\"}";
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void anEventIsWrittenInBinaryModeAndReadBack() {
    var event =
        CloudEvents.builder("7", "urn:test", EventTypes.REQUESTED, DATA.getBytes(UTF_8))
            .withSubject("s")
            .withTime(OffsetDateTime.parse("2027-01-31T09:00:00Z"))
            .withExtension(EventTypes.TRACEPARENT, TRACE)
            .build();
    var written = CloudEvents.toRecord(Topics.REQUESTS, "acme", event);

    assertThat(written.key()).isEqualTo("acme");
    assertThat(header(written, "ce_type")).isEqualTo("sluice.execution.requested.v1");
    assertThat(header(written, "ce_specversion")).isEqualTo("1.0");
    assertThat(header(written, "content-type")).isEqualTo("application/json");
    assertThat(written.value()).isEqualTo(DATA.getBytes(UTF_8));

    var read = CloudEvents.fromRecord(received(written));
    assertThat(read.getId()).isEqualTo("7");
    assertThat(read.getSource()).hasToString("urn:test");
    assertThat(read.getSubject()).isEqualTo("s");
    assertThat(read.getTime()).isEqualTo(OffsetDateTime.parse("2027-01-31T09:00:00Z"));
    assertThat(read.getExtension(EventTypes.TRACEPARENT)).isEqualTo(TRACE);
    assertThat(CloudEvents.data(read)).isEqualTo(DATA.getBytes(UTF_8));
  }

  @Test
  void anEventOfAnotherLibraryIsReadInStructuredMode() {
    var event =
        CloudEvents.builder("7", "urn:test", EventTypes.REQUESTED, DATA.getBytes(UTF_8))
            .withExtension(EventTypes.TRACEPARENT, TRACE)
            .build();
    var written =
        KafkaMessageFactory.<String>createWriter(Topics.REQUESTS, "acme")
            .writeStructured(event, "application/cloudevents+json");

    var read = CloudEvents.fromRecord(received(written));
    assertThat(read.getId()).isEqualTo("7");
    assertThat(read.getType()).isEqualTo(EventTypes.REQUESTED);
    assertThat(read.getExtension(EventTypes.TRACEPARENT)).isEqualTo(TRACE);
  }

  @Test
  void aStructuredEventIsReadToTheLastDigit() {
    var read =
        CloudEvents.fromRecord(
            structured(
                """
                {"specversion":"1.0","id":"7","source":"urn:test","type":"t","subject":"s","time":"2027-01-31T09:00:00Z",
                 "datacontenttype":"application/json","dataschema":"urn:schema","attempt":3,"urgent":true,"data":%s}
                """
                    .formatted(DATA)));
    assertThat(CloudEvents.data(read)).asString(UTF_8).isEqualTo(DATA);
    assertThat(read.getSubject()).isEqualTo("s");
    assertThat(read.getTime()).isEqualTo(OffsetDateTime.parse("2027-01-31T09:00:00Z"));
    assertThat(read.getDataSchema()).hasToString("urn:schema");
    assertThat(read.getExtension("attempt")).isEqualTo(3);
    assertThat(read.getExtension("urgent")).isEqualTo(true);
  }

  @Test
  void structuredDataMayBeInBase64() {
    var read =
        CloudEvents.fromRecord(
            structured(
                "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\",\"data_base64\":\"e30=\"}"));
    assertThat(CloudEvents.data(read)).asString(UTF_8).isEqualTo("{}");
  }

  @Test
  void anEventWithoutDataHasNone() {
    var read =
        CloudEvents.fromRecord(
            structured(
                "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\"}"));
    assertThat(CloudEvents.data(read)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "{}",
        "not json, secret",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"id\":\"8\",\"source\":\"urn:test\",\"type\":\"t\"}",
        "{\"specversion\":\"9\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\"}",
        "{\"specversion\":\"1.0\",\"id\":7,\"source\":\"urn:test\",\"type\":\"t\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"not a uri\",\"type\":\"t\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\",\"time\":\"now\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\",\"data_base64\":\"%\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\",\"data\":1,\"data_base64\":\"e30=\"}",
        "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"urn:test\",\"type\":\"t\",\"ext\":{\"a\":1}}"
      })
  void aBrokenStructuredEventIsNoCloudEvent(String value) {
    assertThatThrownBy(() -> CloudEvents.fromRecord(structured(value)))
        .isInstanceOf(CloudEvents.NotACloudEvent.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aRecordWithoutHeadersOrValueIsNoCloudEvent() {
    assertThatThrownBy(() -> CloudEvents.fromRecord(received("{}".getBytes(UTF_8), null)))
        .isInstanceOf(CloudEvents.NotACloudEvent.class);
    assertThatThrownBy(() -> CloudEvents.fromRecord(received(null, null)))
        .isInstanceOf(CloudEvents.NotACloudEvent.class);
    assertThatThrownBy(() -> CloudEvents.fromRecord(received(null, "application/cloudevents+json")))
        .isInstanceOf(CloudEvents.NotACloudEvent.class);
  }

  private static ConsumerRecord<String, byte[]> structured(String value) {
    return received(value.getBytes(UTF_8), "application/cloudevents+json; charset=utf-8");
  }

  private static ConsumerRecord<String, byte[]> received(byte[] value, String contentType) {
    var record = new ProducerRecord<>(Topics.REQUESTS, "acme", value);
    if (contentType != null) {
      record.headers().add("content-type", contentType.getBytes(UTF_8));
    }
    return received(record);
  }

  static ConsumerRecord<String, byte[]> received(ProducerRecord<String, byte[]> sent) {
    return new ConsumerRecord<>(
        sent.topic(),
        0,
        0,
        0,
        TimestampType.CREATE_TIME,
        0,
        0,
        sent.key(),
        sent.value(),
        new RecordHeaders(sent.headers()),
        Optional.empty());
  }

  private static String header(ProducerRecord<String, byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
