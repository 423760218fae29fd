package dev.sluice.dispatcher.simulator;

import dev.sluice.dispatcher.simulator.Mutation.OfSql;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The simulator notices mistakes: each of these is made on purpose, and must be caught. */
class MutationTest {
  private static final int ENOUGH_SEEDS = 100;

  private static SimulatedDatabase database;
  private static QuietLogs logs;

  @BeforeAll
  static void start() {
    logs = new QuietLogs();
    database = SimulatedDatabase.fresh("mutations");
  }

  @AfterAll
  static void stop() {
    database.close();
    logs.close();
  }

  @Test
  void countingInTheLockingStatementIsCaught() {
    OfSql mutation = Mutation.countInTheLockingStatement();
    assertCaught("I2", mutation, Setting::duel, sim -> new Duel(sim).run());
    mutation.assertApplied();
  }

  @Test
  void aSettlementWithoutTheTokenIsCaught() {
    OfSql mutation = Mutation.settleWithoutTheToken();
    assertCaught("I2", mutation, Setting::duel, sim -> new LateRefusal(sim).run());
    mutation.assertApplied();
  }

  @Test
  void aSlotTooManyForOneThatComesInIsCaught() {
    database.addFaulty(
        "enter_few",
        "enter_one_too_many",
        "a.coming <= u.slots - h.held",
        "a.coming <= u.slots - h.held + 1");
    OfSql mutation = Mutation.callInstead("enter_few", "enter_one_too_many");
    assertCaught("I2", mutation, Setting::calm, sim -> new Turmoil(sim).run());
    mutation.assertApplied();
  }

  @Test
  void aSlotTooManyForSomeThatComeInIsCaught() {
    database.addFaulty(
        "enter_many",
        "enter_many_too_many",
        "all_slots[a.place] - all_held[a.place]",
        "all_slots[a.place] - all_held[a.place] + 1");
    OfSql mutation = Mutation.callInstead("enter_many", "enter_many_too_many");
    assertCaught("I2", mutation, Setting::calm, sim -> new Turmoil(sim).run());
    mutation.assertApplied();
  }

  @Test
  void aSlotTooManyAfterACloseIsCaught() {
    database.addFaulty(
        "hand_over",
        "hand_over_one_too_many",
        "least(most, slots - held)",
        "least(most, slots - held + 1)");
    OfSql mutation = Mutation.callInstead("hand_over", "hand_over_one_too_many");
    assertCaught("I2", mutation);
    mutation.assertApplied();
  }

  @Test
  void aNewWorkflowIdOnEveryTryIsCaught() {
    assertCaught("I1", Mutation.newWorkflowIdOnEveryTry());
  }

  @Test
  void releasingTheSlotOfAnUnknownStartIsCaught() {
    assertCaught("I2", Mutation.releaseTheSlotOnUnknown());
  }

  @Test
  void countingAnOutageAsAnAttemptIsCaught() {
    assertCaught("I6", Mutation.countAnOutageAsAnAttempt());
  }

  @Test
  void takingAnUnansweredCommitForFailedIsCaught() {
    assertCaught(
        "I4",
        Mutation.takeAnUnansweredCommitForFailed(),
        Setting::lostAnswers,
        sim -> new Turmoil(sim).run());
  }

  private static void assertCaught(String invariant, Mutation mutation) {
    assertCaught(invariant, mutation, Setting::draw, sim -> new Turmoil(sim).run());
  }

  private static void assertCaught(
      String invariant,
      Mutation mutation,
      Function<Dice, Setting> setting,
      Consumer<Simulation> turmoil) {
    for (long seed = 1; seed <= ENOUGH_SEEDS; seed++) {
      List<String> violations =
          new Simulation(seed, database, mutation, setting, turmoil).run().violations();
      if (violations.stream().anyMatch(what -> what.contains(invariant))) {
        System.out.printf("mutation caught by seed %d: %s%n", seed, violations.getFirst());
        return;
      }
    }
    throw new AssertionError(
        "%d seeds, and none saw %s violated".formatted(ENOUGH_SEEDS, invariant));
  }
}
