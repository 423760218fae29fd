package dev.sluice.bench.model;

/**
 * Kafka, its clients and its broker.
 *
 * @param carry from a producer's hand to a consumer's, but for the fetch
 * @param fetch one, for all that is there. A consumer has one under way while it is busy, which
 *     brings the first record that comes meanwhile, and asks once more for the others
 * @param commit of the consumer's offsets
 */
public record KafkaCost(Cost carry, Work fetch, Cost commit) {
  public static final KafkaCost NOTHING = new KafkaCost(Cost.NOTHING, Work.NONE, Cost.NOTHING);

  /**
   * @param carried with the one fetch that it takes, which is under way before there is a record
   */
  public static KafkaCost of(Cost carried, Work fetch, Cost commit) {
    Line cpu = carried.cpu();
    double used = fetch.cpu() + fetch.aside();
    var without = new Line(Math.max(0, cpu.fixed() - used), cpu.perItem(), cpu.perWorkspace());
    return new KafkaCost(new Cost(without, carried.wall()), fetch, commit);
  }
}
