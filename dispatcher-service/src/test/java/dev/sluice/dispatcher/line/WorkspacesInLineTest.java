package dev.sluice.dispatcher.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkspacesInLineTest {
  private final WorkspacesInLine line = new WorkspacesInLine();

  @Test
  void firstComeFirstServedAndEachOnce() {
    List.of("a", "b", "a", "c").forEach(w -> line.add(w, 0));
    assertThat(line.take(2))
        .extracting(WorkspacesInLine.Next::workspaceId)
        .containsExactly("a", "b");
    assertThat(line.take(9)).extracting(WorkspacesInLine.Next::workspaceId).containsExactly("c");
    assertThat(line.isEmpty()).isTrue();
  }

  @Test
  void theLargerLookAheadCounts() {
    line.add("a", 0);
    line.add("b", 0);
    line.add("a", 64);
    assertThat(line.take(1)).containsExactly(new WorkspacesInLine.Next("a", 64, 1, 0));
  }

  @Test
  @Tag("L1")
  void whereStartsAreScarceEachGetsItsShareByWeight() {
    Map<String, Integer> weights = Map.of("free", 1, "pro", 2, "enterprise", 4);
    weights.keySet().forEach(w -> line.add(w, 0));
    var got = new HashMap<String, Integer>();
    for (int i = 0; i < 700; i++) {
      String next = line.take(1).getFirst().workspaceId();
      got.merge(next, 1, Integer::sum);
      line.served(next, 1, weights.get(next));
      line.add(next, 0);
    }
    assertThat(got.get("free")).isBetween(98, 102);
    assertThat(got.get("pro")).isBetween(198, 202);
    assertThat(got.get("enterprise")).isBetween(398, 402);
  }

  @Test
  void whoIsLookedAtAndGetsNothingKeepsItsPlace() {
    List.of("light", "heavy").forEach(w -> line.add(w, 0));
    var got = new HashMap<String, Integer>();
    for (int i = 0; i < 100; i++) {
      List<WorkspacesInLine.Next> both = line.take(2);
      String first = both.getFirst().workspaceId();
      got.merge(first, 1, Integer::sum);
      line.served(first, 1, first.equals("heavy") ? 4 : 1);
      both.forEach(next -> line.add(next.workspaceId(), 0));
    }
    assertThat(got.get("heavy")).isBetween(78, 82);
  }

  @Test
  void aNewcomerNeitherWaitsForThePastNorIsPaidForIt() {
    line.add("busy", 0);
    for (int i = 0; i < 1000; i++) {
      line.take(1);
      line.served("busy", 10, 1);
      line.add("busy", 0);
    }
    line.add("new", 0);
    var turns = new HashMap<String, Integer>();
    for (int i = 0; i < 20; i++) {
      String next = line.take(1).getFirst().workspaceId();
      turns.merge(next, 1, Integer::sum);
      line.served(next, 1, 1);
      line.add(next, 0);
    }
    assertThat(turns.get("new")).isBetween(9, 20);
    assertThat(turns.getOrDefault("busy", 0)).isGreaterThanOrEqualTo(1);
  }

  @Test
  void whoIsHeldComesBackWhenReleasedAndWhoIsForgottenDoesNot() {
    line.hold("a");
    line.hold("b");
    line.release("a");
    line.forget("b"::equals);
    line.release("b");
    assertThat(line.take(9)).extracting(WorkspacesInLine.Next::workspaceId).containsExactly("a");
  }

  @Test
  void whoCouldNotUseItsTurnKeepsItsPlace() {
    line.add("large", 0);
    line.add("small", 0);
    line.served("large", 1, 4);
    line.served("small", 1, 1);
    var turn = line.take(1).getFirst();
    assertThat(turn.workspaceId()).isEqualTo("large");
    line.keepPlace(turn);

    assertThat(line.take(1).getFirst().workspaceId()).isEqualTo("small");
    line.served("small", 1, 1);
    line.add("small", 0);
    line.add("large", 0);

    assertThat(line.take(1).getFirst().workspaceId()).isEqualTo("large");
    line.served("large", 1, 4);
    line.add("large", 0);
    assertThat(line.take(1).getFirst().workspaceId()).isEqualTo("large");
  }
}
