package dev.sluice.contracts;

import static dev.sluice.contracts.ItemState.CANCELLED;
import static dev.sluice.contracts.ItemState.CLAIMED;
import static dev.sluice.contracts.ItemState.DISPATCHED;
import static dev.sluice.contracts.ItemState.EXPIRED;
import static dev.sluice.contracts.ItemState.FAILED;
import static dev.sluice.contracts.ItemState.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ItemTransitionTest {
  private static final Map<ItemState, Set<ItemState>> NEXT =
      Map.of(
          PENDING, EnumSet.of(PENDING, CLAIMED, FAILED, CANCELLED, EXPIRED),
          CLAIMED, EnumSet.of(CLAIMED, DISPATCHED, PENDING, FAILED),
          DISPATCHED, EnumSet.noneOf(ItemState.class),
          FAILED, EnumSet.of(PENDING),
          CANCELLED, EnumSet.noneOf(ItemState.class),
          EXPIRED, EnumSet.noneOf(ItemState.class));

  @ParameterizedTest
  @EnumSource
  @Tag("Q1")
  void onlyWhatTheTableNamesIsLegal(ItemState from) {
    for (ItemState to : ItemState.values()) {
      assertThat(ItemTransition.isLegal(from, to))
          .as(from + " to " + to)
          .isEqualTo(NEXT.get(from).contains(to));
    }
  }

  @Test
  void aTerminalStateIsLeftByHandOnly() {
    assertThat(ItemTransition.values())
        .filteredOn(t -> t.from().map(ItemState::isTerminal).orElse(false))
        .containsExactly(ItemTransition.RETRY);
  }

  @Test
  void everyStateCanBeReached() {
    assertThat(Arrays.stream(ItemTransition.values()).map(ItemTransition::to))
        .contains(ItemState.values());
  }

  @Test
  void theDiagramHasALineForEveryTransition() {
    assertThat(ItemTransition.mermaid())
        .isEqualTo(
            """
            stateDiagram-v2
                [*] --> PENDING: accept
                [*] --> FAILED: refuse
                PENDING --> CLAIMED: claim
                CLAIMED --> CLAIMED: take_over
                CLAIMED --> DISPATCHED: start
                CLAIMED --> PENDING: release
                CLAIMED --> FAILED: reject
                PENDING --> FAILED: vanish
                PENDING --> CANCELLED: cancel
                PENDING --> EXPIRED: expire
                PENDING --> PENDING: wake
                FAILED --> PENDING: retry
            """);
    assertThat(ItemTransition.values()).allSatisfy(t -> assertThat(t.when()).isNotBlank());
  }
}
