package dev.sluice.dispatcher.finish;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.ledger.FinishLedger.Close;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionCompletedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionFailedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTerminatedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTimedOutEventAttributes;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CloseReaderTest {
  private static final UUID ID = UUID.randomUUID();

  @Test
  @Tag("T1")
  void aResultIsKeptAsTheJsonItIs() {
    assertThat(completed(payload("json/plain", "{ \"a\" : [1, 2.50] }")).result())
        .isEqualTo("{\"a\":[1,2.50]}");
    assertThat(completed(payload("binary/null", "")).result()).isEqualTo("null");
    assertThat(completed().result()).isNull();
    assertThat(completed(payload("json/plain", "1"), payload("json/plain", "\"b\"")).result())
        .isEqualTo("[1,\"b\"]");
  }

  @Test
  void aResultThatIsNoJsonIsShownAsItsBytes() {
    assertThat(completed(payload("binary/encrypted", "abc")).result())
        .isEqualTo("{\"encoding\":\"binary/encrypted\",\"base64\":\"YWJj\"}");
    assertThat(completed(payload("json/plain", "{not json")).result()).contains("base64");
  }

  @Test
  void aFailureTellsItsCausesToo() {
    var cause = Failure.newBuilder().setMessage("disk\0full");
    var failed =
        WorkflowExecutionFailedEventAttributes.newBuilder()
            .setFailure(Failure.newBuilder().setMessage("Activity failure").setCause(cause));
    Close close =
        read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED)
                .setWorkflowExecutionFailedEventAttributes(failed))
            .orElseThrow();

    assertThat(close.status()).isEqualTo(WorkflowStatus.FAILED);
    assertThat(close.error()).isEqualTo("Activity failure: disk full");
  }

  @Test
  void everyWayToEndIsAClose() {
    assertThat(read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED)).orElseThrow().status())
        .isEqualTo(WorkflowStatus.CANCELED);
    assertThat(
            read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT)).orElseThrow().status())
        .isEqualTo(WorkflowStatus.TIMED_OUT);
    var terminated =
        WorkflowExecutionTerminatedEventAttributes.newBuilder().setReason("operator").build();
    assertThat(
            read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED)
                    .setWorkflowExecutionTerminatedEventAttributes(terminated))
                .orElseThrow())
        .satisfies(
            close -> {
              assertThat(close.status()).isEqualTo(WorkflowStatus.TERMINATED);
              assertThat(close.error()).isEqualTo("operator");
            });
  }

  @Test
  void aRunThatGoesOnInAnotherIsNoClose() {
    var completed =
        WorkflowExecutionCompletedEventAttributes.newBuilder().setNewExecutionRunId("next");
    var timedOut =
        WorkflowExecutionTimedOutEventAttributes.newBuilder().setNewExecutionRunId("next");

    assertThat(read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW))).isEmpty();
    assertThat(
            read(
                event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED)
                    .setWorkflowExecutionCompletedEventAttributes(completed)))
        .isEmpty();
    assertThat(
            read(
                event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT)
                    .setWorkflowExecutionTimedOutEventAttributes(timedOut)))
        .isEmpty();
    assertThat(read(event(EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED))).isEmpty();
  }

  private static Close completed(Payload... result) {
    var payloads = Payloads.newBuilder();
    for (Payload payload : result) {
      payloads.addPayloads(payload);
    }
    return read(event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED)
            .setWorkflowExecutionCompletedEventAttributes(
                WorkflowExecutionCompletedEventAttributes.newBuilder().setResult(payloads)))
        .orElseThrow();
  }

  private static Payload payload(String encoding, String data) {
    return Payload.newBuilder()
        .putMetadata("encoding", ByteString.copyFromUtf8(encoding))
        .setData(ByteString.copyFromUtf8(data))
        .build();
  }

  private static HistoryEvent.Builder event(EventType type) {
    return HistoryEvent.newBuilder().setEventType(type);
  }

  private static Optional<Close> read(HistoryEvent.Builder event) {
    return CloseReader.read(ID, "ws", event.build());
  }
}
