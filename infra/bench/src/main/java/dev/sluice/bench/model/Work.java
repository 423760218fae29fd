package dev.sluice.bench.model;

/**
 * What a step asks of a machine, in seconds.
 *
 * @param cpu of a processor
 * @param idle after that, in which nothing of this machine is needed: a disk, a timer, an answer
 * @param aside of a processor beside it, for which nobody waits: a broker that answers a producer
 *     while its record is with the consumer already
 */
public record Work(double cpu, double idle, double aside) {
  public static final Work NONE = new Work(0, 0);

  public Work(double cpu, double idle) {
    this(cpu, idle, 0);
  }

  /**
   * @param cpu of all threads together
   * @param wall how long it takes when it is alone: what is used beyond that, others use meanwhile
   */
  public static Work of(double cpu, double wall) {
    return new Work(Math.min(cpu, wall), Math.max(0, wall - cpu), Math.max(0, cpu - wall));
  }

  /** For which nobody waits. */
  Work allAside() {
    return new Work(0, 0, cpu + aside);
  }
}
