package dev.sluice.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RequestsTest {
  @Test
  void everyWorkspaceGetsItsShareInTurn() {
    assertThat(workspaces(3, 7)).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void fewRequestsAreSpreadOverManyWorkspaces() {
    assertThat(workspaces(100_000, 5)).containsExactly(0, 20_000, 40_000, 60_000, 80_000);
  }

  private static long[] workspaces(int workspaces, int count) {
    return LongStream.range(0, count)
        .map(n -> Requests.workspaceOf((int) n, workspaces, count))
        .toArray();
  }
}
