package dev.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void defaultsAreFiveMinutesOfChaosAtTwentyRequestsASecond() {
    var options = Options.parse(List.of("--seed", "4"));

    assertThat(options.scenario()).isEqualTo(Options.Scenario.CHAOS);
    assertThat(options.minutes()).isEqualTo(5);
    assertThat(options.rate()).isEqualTo(20);
    assertThat(options.data()).isEmpty();
  }

  @Test
  void theGroupProtocolAlternatesWithTheSeedUnlessItIsGiven() {
    assertThat(Options.parse(List.of("--seed", "4")).protocol()).isEqualTo("classic");
    assertThat(Options.parse(List.of("--seed", "5")).protocol()).isEqualTo("consumer");
    assertThat(Options.parse(List.of("--seed", "5", "--protocol", "classic")).protocol())
        .isEqualTo("classic");
  }

  @Test
  void aWrongValueIsSaidWithAnExample() {
    assertThatThrownBy(() -> Options.parse(List.of("--minutes", "-1")))
        .hasMessageContaining("--minutes is -1")
        .hasMessageContaining("for example");
    assertThatThrownBy(() -> Options.parse(List.of("--seed", "x"))).hasMessageContaining("--seed");
    assertThatThrownBy(() -> Options.parse(List.of("--protocol", "old")))
        .hasMessageContaining("classic or consumer");
    assertThatThrownBy(() -> Options.parse(List.of("--mad"))).hasMessageContaining("--mad");
    assertThatThrownBy(() -> Options.parse(List.of("--seed")))
        .hasMessageContaining("needs a value");
  }
}
