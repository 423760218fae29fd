package dev.sluice.bench.model;

/**
 * What the steps cost, as measured.
 *
 * @param cores processors that are there for us
 * @param background of them, how many are busy while nothing is to be done
 * @param kafka from a producer's hand to a consumer's, broker included
 * @param intake from records to rows
 * @param enter the same with their slots, where there is room
 * @param claim lock, claim and commit
 * @param settle what was started is written back
 * @param start in Temporal
 * @param answeredAtOnce a start that never leaves the process, on the pipeline's own thread
 */
public record Costs(
    double cores,
    double background,
    KafkaCost kafka,
    Cost intake,
    EnterCost enter,
    Cost claim,
    Cost settle,
    StartCost start,
    Work answeredAtOnce) {

  /** The same on another machine. */
  public Costs on(double otherCores) {
    return new Costs(
        otherCores, background, kafka, intake, enter, claim, settle, start, answeredAtOnce);
  }

  /** The same with a Temporal on machines of its own that takes so many seconds for a start. */
  public Costs withTemporalElsewhere(double seconds) {
    return new Costs(
        cores,
        background,
        kafka,
        intake,
        enter,
        claim,
        settle,
        StartCost.unbounded(
            new Cost(
                new Line(0, answeredAtOnce.cpu(), 0),
                new Line(answeredAtOnce.cpu() + seconds, 0, 0))),
        answeredAtOnce);
  }
}
