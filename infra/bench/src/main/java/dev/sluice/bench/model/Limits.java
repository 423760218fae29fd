package dev.sluice.bench.model;

/**
 * The dispatcher's own bounds, as they are by default.
 *
 * @param producerBatch records that leave the producer together: 16 kB, about 50 of them, for each
 *     of 12 partitions
 * @param producerInFlight such requests at a time: what makes a few records at a time so dear is
 *     that they need not wait for each other
 * @param pollRecords that the consumer gets at once
 * @param plentyRecords with fewer than that at hand after a batch, it asks for more
 * @param pollGather seconds that it waits for more at the most, where there is but one
 * @param entrance whether requests may have their slots with their rows
 * @param part records stored by one statement
 * @param writers such statements at a time
 * @param settleBatch starts written back by one statement
 * @param workspacesPerClaim one transaction admits for so many
 * @param maxClaimed items claimed and not started, where not more than that go within a second; the
 *     next claim waits for half of it
 * @param maxClaimedPerWorkspace of these
 * @param concurrency starts under way
 * @param gather seconds for which closes and claims may wait while Temporal has plenty
 * @param settleGather the same for what was started, while more is under way or was a moment ago
 * @param longestSettleGather and on top of it, while Temporal has plenty
 * @param commitEvery seconds between two commits of offsets
 */
public record Limits(
    int producerBatch,
    int producerInFlight,
    int pollRecords,
    int plentyRecords,
    double pollGather,
    boolean entrance,
    int part,
    int writers,
    int settleBatch,
    int workspacesPerClaim,
    int maxClaimed,
    int maxClaimedPerWorkspace,
    int concurrency,
    double gather,
    double settleGather,
    double longestSettleGather,
    double commitEvery) {
  public static final Limits DEFAULT =
      new Limits(
          600, 5, 1000, 64, 0.001, true, 256, 2, 1000, 200, 512, 64, 32, 0.020, 0.010, 0.100,
          0.100);

  /** All of them are claimed by the pipeline. */
  Limits withoutEntrance() {
    return new Limits(
        producerBatch,
        producerInFlight,
        pollRecords,
        plentyRecords,
        pollGather,
        false,
        part,
        writers,
        settleBatch,
        workspacesPerClaim,
        maxClaimed,
        maxClaimedPerWorkspace,
        concurrency,
        gather,
        settleGather,
        longestSettleGather,
        commitEvery);
  }
}
