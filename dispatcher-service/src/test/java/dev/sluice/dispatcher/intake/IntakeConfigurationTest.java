package dev.sluice.dispatcher.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntakeConfigurationTest {
  private static final String RECOVERY = "metadata.recovery.strategy";

  @Test
  void theNewConsumerDoesNotSpinWhileNoBrokerAnswers() {
    assertThat(IntakeConfiguration.consumer(Map.of(), with("consumer")))
        .containsEntry(RECOVERY, "none")
        .containsEntry("group.remote.assignor", "range");
    assertThat(IntakeConfiguration.consumer(Map.of(), with("classic"))).doesNotContainKey(RECOVERY);
  }

  @Test
  void aUsersOwnSettingStays() {
    var own = Map.<String, Object>of(RECOVERY, "rebootstrap");

    assertThat(IntakeConfiguration.consumer(own, with("consumer")))
        .containsEntry(RECOVERY, "rebootstrap");
  }

  private static IntakeSettings with(String protocol) {
    return new IntakeSettings(
        1000,
        2,
        1,
        protocol,
        Duration.ofSeconds(10),
        12,
        Duration.ofMillis(100),
        Duration.ofSeconds(30));
  }
}
