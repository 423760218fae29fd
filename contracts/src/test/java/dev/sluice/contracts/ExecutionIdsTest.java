package dev.sluice.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ExecutionIdsTest {
  @Test
  void theIdOfAKeyIsTheSameForEver() {
    // Ids are in databases and in Temporal: this value must never change.
    assertThat(ExecutionIds.ofKey("acme", "order-7"))
        .isEqualTo(UUID.fromString("3c9ddb18-3dcf-5742-ac1f-eed6ec529054"))
        .extracting(UUID::version)
        .isEqualTo(5);
  }

  @Test
  void anotherWorkspaceKeyOrEventHasAnotherId() {
    assertThat(
            new UUID[] {
              ExecutionIds.ofKey("acme", "k"),
              ExecutionIds.ofKey("acm", "ek"),
              ExecutionIds.ofKey("other", "k"),
              ExecutionIds.ofKey("acme", "k2"),
              ExecutionIds.ofEvent("acme", "urn:a", "k"),
              ExecutionIds.ofEvent("acme", "urn:a", "k2"),
              ExecutionIds.ofEvent("acme", "urn:b", "k"),
              ExecutionIds.ofEvent("other", "urn:a", "k")
            })
        .doesNotHaveDuplicates();
    assertThat(ExecutionIds.ofEvent("acme", "urn:a", "k"))
        .isEqualTo(ExecutionIds.ofEvent("acme", "urn:a", "k"));
  }

  @Test
  void aMintedIdSaysWhenItWasMade() {
    Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    UUID id = ExecutionIds.mint();
    assertThat(id.version()).isEqualTo(7);
    assertThat(ExecutionIds.mintedAt(id))
        .hasValueSatisfying(at -> assertThat(at).isBetween(before, Instant.now()));
    assertThat(ExecutionIds.mintedAt(ExecutionIds.ofKey("acme", "k"))).isEmpty();
    assertThat(ExecutionIds.mint()).isNotEqualTo(id);
  }

  @Test
  @Tag("Q10")
  void theWorkflowIdIsMadeOfTheId() {
    UUID id = UUID.fromString("0199d6a2-0000-7000-8000-000000000001");
    assertThat(ExecutionIds.workflowId(id))
        .isEqualTo("execution-0199d6a2-0000-7000-8000-000000000001");
  }
}
