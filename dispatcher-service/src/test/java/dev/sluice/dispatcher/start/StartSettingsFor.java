package dev.sluice.dispatcher.start;

import java.time.Duration;

/** Those of a test, which are as few as it likes and else as they come. */
public final class StartSettingsFor {
  private StartSettingsFor() {}

  public static StartSettings test(int concurrency, int maxClaimed, int ofOneWorkspace) {
    return new StartSettings(
        concurrency,
        concurrency,
        maxClaimed,
        ofOneWorkspace,
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        Duration.ofMillis(200),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofMinutes(1));
  }
}
