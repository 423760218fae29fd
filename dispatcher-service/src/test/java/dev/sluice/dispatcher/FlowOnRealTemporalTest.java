package dev.sluice.dispatcher;

import org.junit.jupiter.api.BeforeAll;

/** The same on a real server. Skipped where no temporal CLI is found. */
class FlowOnRealTemporalTest extends FlowTest {
  @BeforeAll
  static void aRealServerIsHere() {
    Sluice.assumeRealTemporal();
  }

  @Override
  Sluice sluice() {
    return Sluice.onRealTemporal().orElseThrow();
  }
}
