package dev.sluice.dispatcher.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.contracts.FailureCode;
import io.grpc.Status;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomesTest {
  private static final EnumSet<Status.Code> OUTAGES =
      EnumSet.of(
          Status.Code.UNAVAILABLE,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.NOT_FOUND,
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.UNIMPLEMENTED);
  private static final EnumSet<Status.Code> REFUSALS =
      EnumSet.of(Status.Code.INVALID_ARGUMENT, Status.Code.OUT_OF_RANGE);

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  @Tag("Q14")
  void everyStatusHasItsOutcomeAndOnlyABadArgumentIsTheItemsFault(Status.Code code) {
    StartOutcome outcome =
        Outcomes.of(code.toStatus().withDescription("said so").asRuntimeException());

    if (code == Status.Code.ALREADY_EXISTS) {
      assertThat(outcome).isInstanceOf(StartOutcome.AlreadyStarted.class);
    } else if (REFUSALS.contains(code)) {
      assertThat(outcome).isInstanceOf(StartOutcome.Rejected.class);
    } else if (OUTAGES.contains(code)) {
      assertThat(outcome).isInstanceOf(StartOutcome.Outage.class);
    } else {
      assertThat(outcome).isInstanceOf(StartOutcome.Unknown.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureCode.class,
      names = {"PAYLOAD_TOO_LARGE", "START_REJECTED"})
  void aRefusalSaysWhatToChange(FailureCode code) {
    String said = code == FailureCode.START_REJECTED ? "bad type" : "Blob data size limit exceeded";
    StartOutcome outcome =
        Outcomes.of(Status.INVALID_ARGUMENT.withDescription(said).asRuntimeException());

    assertThat(outcome)
        .isInstanceOfSatisfying(
            StartOutcome.Rejected.class,
            rejected -> {
              assertThat(rejected.code()).isEqualTo(code);
              assertThat(rejected.message()).contains(said).contains("refused");
            });
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"UNKNOWN"})
  void whatIsNotAStatusAtAllIsUnknown(Status.Code code) {
    assertThat(Outcomes.of(new IllegalStateException("channel broke")))
        .isEqualTo(new StartOutcome.Unknown(code.name()));
  }
}
