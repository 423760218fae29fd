package dev.sluice.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OperatorResolverTest {
  @Test
  void whoHasProvedWhoTheyAreIsBelievedBeforeTheHeader() {
    assertThat(OperatorResolver.operator(() -> "jane", "somebody else").name()).isEqualTo("jane");
    assertThat(OperatorResolver.operator(null, "deploy script").name()).isEqualTo("deploy script");
    assertThat(OperatorResolver.operator(null, null).name()).isEqualTo("anonymous");
  }

  @Test
  void aHeaderThatIsNotPlainIsRefused() {
    for (String header : new String[] {"", " ", "x".repeat(101), "a\tb", "\u00e9"}) {
      assertThatThrownBy(() -> OperatorResolver.operator(null, header))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("X-Sluice-Actor");
    }
  }
}
