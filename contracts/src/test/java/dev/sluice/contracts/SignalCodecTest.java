package dev.sluice.contracts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SignalCodecTest {
  private static final UUID ID = UUID.fromString("0199d6a2-0000-7000-8000-000000000001");

  static Stream<Signal> signals() {
    return Stream.of(
        new Signal.Finished("acme", ID),
        new Signal.Redrive("acme", ID),
        new Signal.CapacityChanged("acme"),
        new Signal.Retry("acme", ID, ExecutionIds.mint(), "by hand"),
        new Signal.Retry("acme", ID, ExecutionIds.mint(), null));
  }

  @ParameterizedTest
  @MethodSource("signals")
  void aSignalArrivesAsItWasSent(Signal signal) {
    var sent = SignalCodec.encode(signal, EventTypes.RECOVERY_SOURCE);
    assertThat(sent.topic()).isEqualTo(Topics.SIGNALS);
    assertThat(sent.key()).isEqualTo("acme");
    assertThat(new String(sent.value(), UTF_8)).doesNotContain("\"type\"");
    assertThat(SignalCodec.decode(CloudEventsTest.received(sent))).contains(signal);
  }

  @Test
  void everyKindOfSignalIsTried() {
    assertThat(signals().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder((Class<?>[]) Signal.class.getPermittedSubclasses());
  }

  @Test
  void aNewerServiceMaySayMore() {
    assertThat(
            SignalCodec.decode(
                signal(Signal.Types.CAPACITY_CHANGED, "{\"workspaceId\":\"acme\",\"more\":1}")))
        .contains(new Signal.CapacityChanged("acme"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          sluice.signal.unheard-of.v1       | {"workspaceId":"acme"}
          sluice.signal.capacity-changed.v1 | {}
          sluice.signal.capacity-changed.v1 | [
          sluice.signal.finished.v1         | {"workspaceId":"acme","id":"x"}
          sluice.signal.finished.v1         | {"workspaceId":"acme"}
          sluice.signal.finished.v1         | null
          """)
  void whatIsNotUnderstoodIsPassedOver(String type, String data) {
    assertThat(SignalCodec.decode(signal(type, data))).isEmpty();
  }

  private static ConsumerRecord<String, byte[]> signal(String type, String data) {
    return CloudEventsTest.received(
        CloudEvents.toRecord(
            Topics.SIGNALS, "acme", CloudEvents.event("1", "urn:t", type, data.getBytes(UTF_8))));
  }
}
