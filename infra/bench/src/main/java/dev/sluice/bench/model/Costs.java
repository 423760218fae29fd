package dev.sluice.bench.model;

/**
 * What the steps cost, as measured.
 *
 * @param cores processors that are there for us
 * @param background of them, how many are busy while nothing is to be done
 * @param kafka from a producer's hand to a consumer's, broker included
 * @param commit of the consumer's offsets
 * @param intake from records to rows
 * @param enter the same with their slots, where there is room
 * @param claim lock, claim and commit
 * @param settle what was started is written back
 * @param start in Temporal, its share included; of those that are under way together
 * @param answeredAtOnce a start that never leaves the process, on the pipeline's own thread
 */
public record Costs(
    double cores,
    double background,
    Cost kafka,
    Cost commit,
    Cost intake,
    Cost enter,
    Cost claim,
    Cost settle,
    Cost start,
    Work answeredAtOnce) {

  /** The same on another machine. */
  public Costs on(double otherCores) {
    return new Costs(
        otherCores, background, kafka, commit, intake, enter, claim, settle, start, answeredAtOnce);
  }

  /** The same with a Temporal on machines of its own that takes so many seconds for a start. */
  public Costs withTemporalElsewhere(double seconds) {
    return new Costs(
        cores,
        background,
        kafka,
        commit,
        intake,
        enter,
        claim,
        settle,
        new Cost(
            new Line(0, answeredAtOnce.cpu(), 0), new Line(answeredAtOnce.cpu() + seconds, 0, 0)),
        answeredAtOnce);
  }

  /**
   * Of one of so many that are under way. Each wakes a handful of threads when it is alone; many
   * share that.
   */
  Work startAmong(int underWay) {
    Work alone = Work.of(start.cpu().at(1, 0), start.wall().at(1, 0));
    double used = alone.cpu() + alone.aside();
    double share = start.cpu().at(underWay, 0) / underWay;
    double waitedFor = used > 0 ? share * alone.cpu() / used : 0;
    return new Work(waitedFor, alone.idle(), share - waitedFor);
  }
}
