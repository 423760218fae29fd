package dev.sluice.bench.model;

/**
 * A start in Temporal, its share included.
 *
 * @param each of those that are under way together
 * @param cores processors that are kept busy when nothing but starts is done, however many are
 *     under way: they go over one connection, and through the locks of one server
 */
public record StartCost(Cost each, double cores) {
  public static final StartCost NOTHING = unbounded(Cost.NOTHING);

  /** With nothing that they have to wait for but each other's processors. */
  public static StartCost unbounded(Cost each) {
    return new StartCost(each, Double.POSITIVE_INFINITY);
  }

  /**
   * Of one of so many that are under way. Each wakes a handful of threads when it is alone; many
   * share that.
   */
  Work among(int underWay) {
    Work alone = Work.of(each.cpu().at(1, 0), each.wall().at(1, 0));
    double used = alone.cpu() + alone.aside();
    double share = each.cpu().at(underWay, 0) / underWay;
    double waitedFor = used > 0 ? share * alone.cpu() / used : 0;
    return new Work(waitedFor, alone.idle(), share - waitedFor);
  }

  /** How many are served at a time; the others wait for these. */
  int servedAtATime() {
    return Double.isInfinite(cores) ? Integer.MAX_VALUE : (int) Math.ceil(cores);
  }

  /** For how long, after this one, its place stays taken: two places do not make two processors. */
  double rest(Work served) {
    return Double.isInfinite(cores)
        ? 0
        : (served.cpu() + served.aside()) * (servedAtATime() / cores - 1);
  }
}
