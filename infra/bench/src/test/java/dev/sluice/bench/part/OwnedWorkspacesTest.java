package dev.sluice.bench.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.contracts.Topics;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnedWorkspacesTest {
  private static final OwnedWorkspaces OWNED =
      new OwnedWorkspaces(List.of(Set.of(0, 1), Set.of(2, 3)));

  @Test
  void oneDispatcherGetsOnlyItsOwn() {
    assertThat(OWNED.of(1, 100))
        .hasSize(100)
        .doesNotHaveDuplicates()
        .allSatisfy(workspace -> assertThat(Topics.homePartition(workspace, 4)).isBetween(0, 1));
  }

  @Test
  void severalGetTheSameNumberEach() {
    assertThat(OWNED.of(2, 100))
        .hasSize(100)
        .filteredOn(workspace -> Topics.homePartition(workspace, 4) < 2)
        .hasSize(50);
  }

  @Test
  void moreThanThereAreIsAnError() {
    assertThatThrownBy(() -> OWNED.of(1, OwnedWorkspaces.ALL))
        .isInstanceOf(IllegalStateException.class);
  }
}
