package dev.sluice.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.chaos.fault.Fault;
import dev.sluice.chaos.fault.FaultKind;
import dev.sluice.chaos.load.Acknowledged;
import dev.sluice.chaos.load.Workspace;
import dev.sluice.contracts.ExecutionIds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A judge that cannot find anybody guilty is of no use. */
class JudgeTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final UUID FIRST = new UUID(0, 1);
  private static final UUID SECOND = new UUID(0, 2);

  private final Acknowledged acknowledged = new Acknowledged();

  @Test
  void whatWasAcknowledgedAndNeverStartedIsLost() {
    acknowledged.accepted(FIRST, "w");

    assertThat(broken(List.of(), "PENDING")).contains("lost");
    assertThat(broken(List.of(), "FAILED")).doesNotContain("lost");
    assertThat(broken(List.of(run(FIRST, 0, 1)), "PENDING")).isEmpty();
  }

  @Test
  void twoRunsOfOneWorkflowAreTwice() {
    assertThat(broken(List.of(run(FIRST, 0, 1), run(FIRST, 2, 3)), "")).contains("started twice");
  }

  @Test
  void oneRequestUnderTwoIdsIsTwice() {
    var judge = judge(List.of(run(FIRST, 0, 1), run(SECOND, 2, 3)));

    judge.exactlyOnce(id -> "", Map.of("w/1", Set.of("execution-a", "execution-b")));

    assertThat(broken(judge)).containsExactly("started twice");
  }

  @Test
  void aWorkflowNobodyAskedForIsFound() {
    assertThat(broken(List.of(run(new UUID(0, 9), 0, 1)), ""))
        .contains("started without being asked for");
  }

  @Test
  void aStartBeforeTheCloseOfTheLastSlotIsOverCapacity() {
    var workspace = List.of(new Workspace("w", "FREE", 1, 1));
    var inTurn = judge(List.of(run(FIRST, 0, 10), run(SECOND, 10, 20)));
    inTurn.capacity(workspace);
    assertThat(broken(inTurn)).isEmpty();

    var over = judge(List.of(run(FIRST, 0, 10), run(SECOND, 9, 20)));
    over.capacity(workspace);
    assertThat(broken(over)).containsExactly("starts over capacity");
  }

  @Test
  void aSlotIsFreeFromTheFirstCloseThatBringsTheNumberBelowTheLimit() {
    var runs = List.of(run(FIRST, 0, 30), run(SECOND, 10, 20));
    Instant middle = START.plusMillis(15);

    assertThat(Capacity.freeFrom(runs, 3, middle)).isEqualTo(middle);
    assertThat(Capacity.freeFrom(runs, 2, middle)).isEqualTo(START.plusMillis(20));
    assertThat(Capacity.freeFrom(runs, 1, middle)).isEqualTo(START.plusMillis(30));
  }

  @Test
  void aLaterRequestThatStartsFirstIsOutOfOrder() {
    var judge = judge(List.of(run(FIRST, 5, 6), run(SECOND, 4, 5)));

    judge.order();

    assertThat(broken(judge)).containsExactly("started out of order");
  }

  @Test
  void theSlowestOrphanedWorkspaceCountsForAFailover() {
    var kill =
        new Fault(FaultKind.KILL_DISPATCHER, "a", START, START.plusSeconds(20), Set.of("w", "x"));
    var waiting =
        List.of(
            new Pauses.Waiting("w", START.minusSeconds(1), START.plusSeconds(5)),
            new Pauses.Waiting("w", START.minusSeconds(1), START.plusSeconds(9)),
            new Pauses.Waiting("x", START.plusSeconds(1), START.plusSeconds(7)),
            new Pauses.Waiting("others", START, START.plusSeconds(30)));

    var session = Duration.ofSeconds(6);
    assertThat(Pauses.failover(kill, waiting, Map.of(), session)).contains(Duration.ofSeconds(7));

    var full = Map.of("x", START.plusSeconds(6));
    assertThat(Pauses.failover(kill, waiting, full, session)).contains(Duration.ofSeconds(5));
  }

  private List<String> broken(List<Run> runs, String status) {
    var judge = judge(runs);
    judge.exactlyOnce(id -> status, Map.of());
    return broken(judge);
  }

  private Judge judge(List<Run> runs) {
    var asked = new LinkedHashMap<UUID, Asked.Request>();
    asked.put(FIRST, new Asked.Request(FIRST, "w", 5));
    asked.put(SECOND, new Asked.Request(SECOND, "w", 5));
    return new Judge(acknowledged, new Asked(asked, 0), runs, id -> Optional.empty());
  }

  private static List<String> broken(Judge judge) {
    return judge.verdict().rows().stream()
        .filter(row -> !row.good())
        .map(Verdict.Row::name)
        .toList();
  }

  private static Run run(UUID id, int from, int until) {
    return new Run(
        ExecutionIds.workflowId(id),
        UUID.randomUUID().toString(),
        START.plusMillis(from),
        START.plusMillis(until));
  }
}
