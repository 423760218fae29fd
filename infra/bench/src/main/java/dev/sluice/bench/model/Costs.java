package dev.sluice.bench.model;

/**
 * What the steps cost, as measured.
 *
 * @param cores processors that are there for us
 * @param background of them, how many are busy while nothing is to be done
 * @param kafka from a producer's hand to a consumer's, broker included
 * @param commit of the consumer's offsets, after each of its batches
 * @param intake from records to rows
 * @param claim lock, claim and commit
 * @param settle what was started is written back
 * @param start in Temporal, its share included
 * @param answeredAtOnce a start that never leaves the process, on the pipeline's own thread
 */
public record Costs(
    double cores,
    double background,
    Cost kafka,
    Cost commit,
    Cost intake,
    Cost claim,
    Cost settle,
    Work start,
    Work answeredAtOnce) {

  /** The same on another machine. */
  public Costs on(double otherCores) {
    return new Costs(
        otherCores, background, kafka, commit, intake, claim, settle, start, answeredAtOnce);
  }

  /** The same with a Temporal on machines of its own that takes so many seconds for a start. */
  public Costs withTemporalElsewhere(double seconds) {
    return new Costs(
        cores,
        background,
        kafka,
        commit,
        intake,
        claim,
        settle,
        new Work(answeredAtOnce.cpu(), seconds),
        answeredAtOnce);
  }
}
