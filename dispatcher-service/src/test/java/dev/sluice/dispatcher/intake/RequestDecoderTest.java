package dev.sluice.dispatcher.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.CloudEvents;
import dev.sluice.contracts.DeadLetterReason;
import dev.sluice.contracts.EventTypes;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Topics;
import dev.sluice.dispatcher.ledger.IntakeLedger.NewItem;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
  private static final String BODY = "{\"workspaceId\":\"acme\",\"definitionId\":\"job\"}";

  @Test
  void theSameKeyIsTheSameIdWhateverTheEvent() {
    String keyed = BODY.replace("}", ",\"idempotencyKey\":\"k\"}");

    assertThat(item("1", "urn:a", keyed).id())
        .isEqualTo(item("2", "urn:b", keyed).id())
        .isEqualTo(ExecutionIds.ofKey("acme", "k"));
  }

  @Test
  void withoutAKeyTheEventIsTheIdentity() {
    assertThat(item("1", "urn:a", BODY).id()).isEqualTo(item("1", "urn:a", BODY).id());
    assertThat(item("1", "urn:a", BODY).id()).isNotEqualTo(item("2", "urn:a", BODY).id());
    assertThat(item("1", "urn:a", BODY).id()).isNotEqualTo(item("1", "urn:b", BODY).id());
  }

  @Test
  void theIdThatIngestMintedIsKeptAndNoOtherMayClaimToBeOne() {
    UUID minted = ExecutionIds.mint();

    assertThat(item(minted.toString(), EventTypes.INGEST_SOURCE, BODY).id()).isEqualTo(minted);
    for (String forged : new String[] {"1", UUID.randomUUID().toString()}) {
      assertThat(reason(decode(forged, EventTypes.INGEST_SOURCE, EventTypes.REQUESTED, BODY)))
          .isEqualTo(DeadLetterReason.INVALID_FIELD);
    }
  }

  @Test
  void aTraceContextIsTakenAlongAndAnythingElseUnderItsNameIsNot() {
    String context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    assertThat(traced(context).traceparent()).isEqualTo(context);
    assertThat(traced("' or 1=1").traceparent()).isNull();
  }

  @Test
  void aCancelNamesWhatToCancel() {
    UUID id = UUID.randomUUID();
    String body = "{\"workspaceId\":\"acme\",\"id\":\"%s\"}".formatted(id);

    assertThat(decode("1", "urn:a", EventTypes.CANCEL_REQUESTED, body))
        .isInstanceOfSatisfying(
            Decoded.Cancel.class, cancel -> assertThat(cancel.request().id()).isEqualTo(id));
  }

  @Test
  void whatCannotBeReadSaysWhy() {
    byte[] value = BODY.getBytes(UTF_8);

    assertThat(reason(RequestDecoder.decode(plain("acme".getBytes(UTF_8), null))))
        .isEqualTo(DeadLetterReason.NO_VALUE);
    assertThat(reason(RequestDecoder.decode(plain(null, value))))
        .isEqualTo(DeadLetterReason.NO_KEY);
    assertThat(reason(RequestDecoder.decode(plain("acme".getBytes(UTF_8), value))))
        .isEqualTo(DeadLetterReason.NOT_A_CLOUD_EVENT);
    assertThat(reason(RequestDecoder.decode(plain("a".getBytes(UTF_8), new byte[600 * 1024]))))
        .isEqualTo(DeadLetterReason.TOO_LARGE);
    assertThat(reason(decode("1", "urn:a", "some.other.type", BODY)))
        .isEqualTo(DeadLetterReason.UNKNOWN_TYPE);
    assertThat(reason(decode("1", "urn:a", EventTypes.REQUESTED, "{nonsense")))
        .isEqualTo(DeadLetterReason.NOT_JSON);
    assertThat(reason(decode("1", "urn:a", EventTypes.REQUESTED, BODY.replace("acme", "other"))))
        .isEqualTo(DeadLetterReason.KEY_MISMATCH);
  }

  private static NewItem item(String eventId, String source, String body) {
    return ((Decoded.Enqueue) decode(eventId, source, EventTypes.REQUESTED, body)).item();
  }

  private static NewItem traced(String traceparent) {
    var record = record("1", "urn:a", EventTypes.REQUESTED, BODY);
    record.headers().add("ce_" + EventTypes.TRACEPARENT, traceparent.getBytes(UTF_8));
    return ((Decoded.Enqueue) RequestDecoder.decode(record)).item();
  }

  private static Decoded decode(String eventId, String source, String type, String body) {
    return RequestDecoder.decode(record(eventId, source, type, body));
  }

  private static DeadLetterReason reason(Decoded decoded) {
    return ((Decoded.Unreadable) decoded).reason();
  }

  private static ConsumerRecord<byte[], byte[]> record(
      String eventId, String source, String type, String body) {
    var sent =
        CloudEvents.toRecord(
            Topics.REQUESTS,
            "acme",
            CloudEvents.event(eventId, source, type, body.getBytes(UTF_8)));
    return new ConsumerRecord<>(
        Topics.REQUESTS,
        0,
        0L,
        0L,
        TimestampType.CREATE_TIME,
        4,
        sent.value().length,
        "acme".getBytes(UTF_8),
        sent.value(),
        sent.headers(),
        Optional.empty());
  }

  private static ConsumerRecord<byte[], byte[]> plain(byte[] key, byte[] value) {
    return new ConsumerRecord<>(
        Topics.REQUESTS,
        0,
        0L,
        0L,
        TimestampType.CREATE_TIME,
        0,
        0,
        key,
        value,
        new RecordHeaders(),
        Optional.empty());
  }
}
