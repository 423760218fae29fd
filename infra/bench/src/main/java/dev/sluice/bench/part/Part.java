package dev.sluice.bench.part;

/** One part of the benchmark: measures, and adds its rows. */
public interface Part {
  void run(Bench bench) throws Exception;

  static Part named(String name) {
    return switch (name) {
      case "dispatch" -> new DispatchPart();
      case "queue" -> new QueuePart();
      case "latency" -> new LatencyPart();
      case "slot_reuse" -> new SlotReusePart();
      case "backlog" -> new BacklogPart();
      case "neighbour" -> new NeighbourPart();
      case "services" -> new ServicesPart();
      case "scaling" -> new ScalingPart();
      case "growth" -> new GrowthPart();
      case "start" -> new StartPart();
      case "costs" -> new CostsPart();
      case "model" -> new ModelPart();
      default -> throw new IllegalArgumentException("no part " + name);
    };
  }
}
