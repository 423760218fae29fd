package dev.sluice.bench.part;

import dev.sluice.servers.LocalTemporal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same number of items, spread over few workspaces and over many. What is started returns at
 * once: Temporal would only hide the difference.
 */
final class GrowthPart implements Part {
  private static final int ROUNDS = 3;
  private static final int[] WORKSPACES = {10, 1_000, 100_000};
  private static final int ITEMS = 10_000;

  @Override
  public void run(Bench bench) {
    Map<Integer, List<StandingDispatcher.Round>> results = new LinkedHashMap<>();
    for (int round = 0; round <= ROUNDS; round++) {
      for (int workspaces : WORKSPACES) {
        StandingDispatcher.Round result = measured(bench, workspaces);
        bench
            .console()
            .say(
                "growth%s: %,d workspaces, CPU %.2f ms an item, %,.0f/s",
                round == 0 ? " (warm-up)" : "",
                workspaces,
                result.cpuMillisPerItem(),
                result.perSecond());
        if (round > 0) {
          results.computeIfAbsent(workspaces, w -> new ArrayList<>()).add(result);
        }
      }
    }
    results.forEach((workspaces, rounds) -> show(bench, workspaces, rounds));
  }

  private static StandingDispatcher.Round measured(Bench bench, int workspaces) {
    try (var temporal = LocalTemporal.inMemory(0)) {
      return DispatchRound.run(bench.servers(), temporal.address(), true, workspaces, ITEMS);
    }
  }

  private static void show(Bench bench, int workspaces, List<StandingDispatcher.Round> rounds) {
    bench
        .rows()
        .add(
            "growth.cpu_ms_per_item_%d_workspaces".formatted(workspaces),
            "ms",
            rounds.stream().map(StandingDispatcher.Round::cpuMillisPerItem).toList());
    bench
        .rows()
        .add(
            "growth.rate_per_second_%d_workspaces".formatted(workspaces),
            "items/s",
            rounds.stream().map(StandingDispatcher.Round::perSecond).toList());
  }
}
