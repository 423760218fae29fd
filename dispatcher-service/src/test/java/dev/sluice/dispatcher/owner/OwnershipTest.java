package dev.sluice.dispatcher.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnershipTest {
  private final Ownership ownership = new Ownership(1);

  @Test
  void aWorkspaceIsAdmittedOnceWhatItsLastOwnerLeftIsTakenOver() {
    ownership.gained(List.of(0));
    assertThat(ownership.owns("acme")).isTrue();
    assertThat(ownership.mayAdmit("acme")).isFalse();

    ownership.takenOver(ownership.toTakeOver());

    assertThat(ownership.mayAdmit("acme")).isTrue();
  }

  @Test
  void aPartitionThatWasLostAndRegainedNeedsATakeoverOfItsOwn() {
    ownership.gained(List.of(0));
    Map<Integer, Integer> before = ownership.toTakeOver();
    ownership.lost(List.of(0));
    ownership.takenOver(before);
    assertThat(ownership.mayAdmit("acme")).isFalse();

    ownership.gained(List.of(0));
    ownership.takenOver(before);
    assertThat(ownership.mayAdmit("acme")).isFalse();

    ownership.takenOver(ownership.toTakeOver());
    assertThat(ownership.mayAdmit("acme")).isTrue();
  }

  @Test
  void nothingIsAdmittedAfterADoubtUntilAnotherTakeover() {
    ownership.gained(List.of(0));
    Map<Integer, Integer> before = ownership.toTakeOver();
    ownership.takenOver(before);
    assertThat(ownership.toTakeOver()).isEmpty();

    ownership.doubt(List.of("acme", "globex"));
    ownership.takenOver(before); // one that had looked before
    assertThat(ownership.mayAdmit("acme")).isFalse();

    ownership.takenOver(ownership.toTakeOver());
    assertThat(ownership.mayAdmit("acme")).isTrue();
  }

  @Test
  void whatIsNotOursIsNotDoubted() {
    ownership.doubt(List.of("acme"));

    assertThat(ownership.owns("acme")).isFalse();
    assertThat(ownership.toTakeOver()).isEmpty();
  }
}
