package dev.sluice.dispatcher.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dispatcher.simulator.Simulation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Dispatchers under every fault that seeds can combine. {@code -Dsluice.sim.seeds=10000} for more
 * of them, {@code -Dsluice.sim.seed=42} for one.
 */
class SimulatorTest {
  private static final int FEW_SEEDS = 40;
  private static final int FAILURES_SHOWN = 3;

  private static SimulatedDatabase database;
  private static QuietLogs logs;

  @BeforeAll
  static void start() {
    logs = new QuietLogs();
    database = SimulatedDatabase.fresh("simulator");
  }

  @AfterAll
  static void stop() {
    database.close();
    logs.close();
  }

  @Test
  @Tag("Q2")
  @Tag("Q4")
  @Tag("Q7")
  @Tag("Q12")
  @Tag("Q13")
  @Tag("Q14")
  @Tag("Q16")
  @Tag("Q17")
  @Tag("Q18")
  void everyRequestIsStartedOnceAndWithinItsLimitWhateverBreaks() {
    Long one = Long.getLong("sluice.sim.seed");
    long first = one == null ? 1 : one;
    long last = one == null ? Long.getLong("sluice.sim.seeds", 1000) : one;
    assertAllFine(first, last, seed -> new Simulation(seed, database, Mutation.NONE).run());
  }

  @Test
  @Tag("Q2")
  @Tag("Q7")
  void twoAdmissionsAtTheSameInstantNeverGiveAwayTheSameSlot() {
    assertAllFine(
        1,
        FEW_SEEDS,
        seed ->
            new Simulation(seed, database, Mutation.NONE, Setting::duel, sim -> new Duel(sim).run())
                .run());
  }

  @Test
  @Tag("Q2")
  @Tag("Q18")
  void aRefusalThatIsHeardTooLateTakesNoSlotAway() {
    assertAllFine(
        1,
        FEW_SEEDS,
        seed ->
            new Simulation(
                    seed, database, Mutation.NONE, Setting::duel, sim -> new LateRefusal(sim).run())
                .run());
  }

  @Test
  @Tag("Q17")
  void aWriteWithoutAnAnswerPutsNothingOutOfOrder() {
    assertAllFine(
        1,
        3 * FEW_SEEDS,
        seed -> new Simulation(seed, database, Mutation.NONE, Setting::lostAnswers).run());
  }

  @Test
  void aSeedTellsTheSameStoryEveryTime() {
    for (long seed = 1; seed <= 10; seed++) {
      Outcome once = new Simulation(seed, database, Mutation.NONE).run();
      database.gatherStatistics();
      Outcome again = new Simulation(seed, database, Mutation.NONE).run();
      assertThat(again.log()).isEqualTo(once.log());
    }
  }

  private static void assertAllFine(long first, long last, LongFunction<Outcome> run) {
    var failed = new ArrayList<Outcome>();
    var progress = new Progress();
    for (long seed = first; seed <= last && failed.size() < FAILURES_SHOWN; seed++) {
      Outcome outcome = run.apply(seed);
      progress.add(outcome);
      if (!outcome.isFine()) {
        failed.add(outcome);
      }
    }
    progress.show();
    assertThat(failed.stream().map(Outcome::story).toList()).isEqualTo(List.of());
  }

  /** A line now and then, for whoever waits. */
  private static final class Progress {
    private final long began = System.nanoTime();
    private int seeds;
    private int workflows;
    private int neededRecovery;

    void add(Outcome outcome) {
      seeds++;
      workflows += outcome.runs();
      neededRecovery += outcome.neededRecovery() ? 1 : 0;
      if (seeds % 200 == 0) {
        show();
      }
    }

    void show() {
      System.out.printf(
          "simulator: %d seeds, %d workflows, %d seeds needed recovery-service, %d s%n",
          seeds,
          workflows,
          neededRecovery,
          Duration.ofNanos(System.nanoTime() - began).toSeconds());
    }
  }
}
