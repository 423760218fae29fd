package dev.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.chaos.fault.FaultKind;
import dev.sluice.chaos.judge.Verdict;
import dev.sluice.chaos.stack.Stack;
import dev.sluice.servers.Folders;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The short run. Without a temporal CLI the in-memory server is frozen instead of stopped, because
 * it forgets everything when it stops.
 */
class ShortChaosTest {
  private static final long SEED = 20_261_116;

  /** Low enough for a machine that is busy with something else. */
  private static final double RATE = 15;

  @Test
  @Tag("Q7")
  @Tag("Q14")
  @Tag("Q17")
  @Tag("Q18")
  void nothingIsLostTwiceOrOverCapacityWhilePartsAreKilledFrozenAndRestarted() throws Exception {
    Path folder = Path.of("target", "chaos-" + ProcessHandle.current().pid()).toAbsolutePath();

    Verdict verdict;
    try (var stack = new Stack(folder, "classic", true)) {
      verdict =
          ChaosRun.brief(stack, new Console(System.out), SEED, RATE)
              .runFaults(FaultKind.SHORT.size());
    }

    // How fast it goes on depends on what else the machine does: told by the run, not judged here.
    assertThat(verdict.rows())
        .as("seed %d, logs in %s%n%s", SEED, folder, verdict)
        .filteredOn(row -> !row.name().startsWith("kill -9 of a dispatcher: "))
        .allMatch(Verdict.Row::good);
    assertThat(verdict.rows())
        .filteredOn(row -> row.name().equals("faults"))
        .extracting(Verdict.Row::value)
        .containsExactly("" + FaultKind.SHORT.size());
    // After a failure it stays, for its logs.
    Folders.delete(folder);
  }
}
