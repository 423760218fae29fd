package dev.sluice.bench.part;

/** What each step costs by itself: what the model is fed with. */
final class CostsPart implements Part {
  private static final int PASSES = 3;

  @Override
  public void run(Bench bench) throws InterruptedException {
    try (var costs = new CostPasses(bench)) {
      for (int pass = 0; pass <= PASSES; pass++) {
        costs.pass();
      }
      bench.costs(costs.show());
    }
  }
}
