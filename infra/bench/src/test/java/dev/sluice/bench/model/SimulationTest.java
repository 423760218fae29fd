package dev.sluice.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Cases whose result is known on paper. */
class SimulationTest {
  private static final Percentage CLOSELY = Percentage.withPercentage(3);

  private static Costs only(double cores, Work start) {
    return only(cores, start(start));
  }

  private static Costs only(double cores, StartCost start) {
    return new Costs(
        cores,
        0,
        KafkaCost.NOTHING,
        Cost.NOTHING,
        EnterCost.NOTHING,
        Cost.NOTHING,
        Cost.NOTHING,
        start,
        Work.NONE);
  }

  /** The same however many there are. */
  private static StartCost start(Work one) {
    return StartCost.unbounded(
        new Cost(new Line(0, one.cpu(), 0), new Line(one.cpu() + one.idle(), 0, 0)));
  }

  private static Cost cpu(double fixed, double perItem, double perWorkspace) {
    var line = new Line(fixed, perItem, perWorkspace);
    return new Cost(line, line);
  }

  private static EnterCost always(Cost cost) {
    return new EnterCost(cost, cost);
  }

  /** Requests with room, which nothing else takes time for but a fetch. */
  private static Costs storingInTenMillis(Work fetch) {
    return new Costs(
        2,
        0,
        new KafkaCost(Cost.NOTHING, fetch, Cost.NOTHING),
        Cost.NOTHING,
        always(cpu(0.010, 0, 0)),
        Cost.NOTHING,
        Cost.NOTHING,
        StartCost.NOTHING,
        Work.NONE);
  }

  private static double rate(Costs costs, int workspaces, boolean atOnce) {
    return new Simulation(costs, Limits.DEFAULT).rate(20_000, workspaces, atOnce);
  }

  /** Where nothing gets its slot with its row, and starts are answered at once. */
  private static double claimingRate(Costs costs, int workspaces) {
    return new Simulation(costs, Limits.DEFAULT.withoutEntrance()).rate(100_000, workspaces, true);
  }

  @Test
  void withOneProcessorAndOnlyStartsTheRateIsOneByTheirCost() {
    assertThat(rate(only(1, new Work(0.001, 0)), 500, false)).isCloseTo(1000, CLOSELY);
    assertThat(rate(only(2, new Work(0.001, 0)), 500, false)).isCloseTo(2000, CLOSELY);
  }

  @Test
  void startsThatWaitAreBoundedByHowManyAreUnderWay() {
    assertThat(rate(only(2, new Work(0, 0.010)), 500, false)).isCloseTo(32 / 0.010, CLOSELY);
  }

  @Test
  void whatStartsShareIsCheaperTheMoreThereAre() {
    Cost start = new Cost(new Line(0.0032, 0.0009, 0), new Line(0.0032, 0.0009, 0));
    Costs shared = only(1, StartCost.unbounded(start));
    // 3.2 / 32 + 0.9 ms with 32 at a time, and 4.1 ms with one.
    assertThat(rate(shared, 500, false)).isCloseTo(1000, CLOSELY);
    assertThat(rate(shared, 1, false)).isCloseTo(1000 / 4.1, CLOSELY);
  }

  @Test
  void startsUseNoMoreProcessorsThanTheyCanByThemselves() {
    Costs bounded = only(8, new StartCost(cpu(0, 0.001, 0), 1.5));
    assertThat(rate(bounded, 500, false)).isCloseTo(1500, CLOSELY);
  }

  @Test
  void aWorkspaceHasOneUnderWay() {
    assertThat(rate(only(2, new Work(0, 0.010)), 10, false)).isCloseTo(10 / 0.010, CLOSELY);
  }

  @Test
  void allStepsTogetherUseWhatTheMachineHas() {
    var costs =
        new Costs(
            1.5,
            0.5,
            new KafkaCost(cpu(0, 0.0001, 0), Work.NONE, Cost.NOTHING),
            cpu(0, 0.0002, 0),
            always(cpu(0, 0.0005, 0)),
            cpu(0, 0.0003, 0),
            cpu(0, 0.0001, 0),
            start(new Work(0.0023, 0)),
            Work.NONE);
    // 3 ms an item, whichever way it comes in, and the background leaves one processor. Many are
    // not written back yet when the last is started: one thread does that beside 32 starts.
    assertThat(rate(costs, 500, false)).isCloseTo(1 / 0.003, Percentage.withPercentage(5));
  }

  @Test
  void onThePipelinesThreadOnlyClaimAndHandingOnAddUpWhateverTheProcessors() {
    var costs =
        new Costs(
            16,
            0,
            KafkaCost.NOTHING,
            Cost.NOTHING,
            EnterCost.NOTHING,
            cpu(0, 0.0006, 0),
            cpu(0, 0.0003, 0),
            StartCost.NOTHING,
            new Work(0.0001, 0));
    assertThat(claimingRate(costs, 500)).isCloseTo(1 / 0.0007, Percentage.withPercentage(5));
  }

  @Test
  void aFixedCostIsSharedByTheBatch() {
    // Nothing but the fixed part of a claim: 200 workspaces, of each 4 * 512 / 200 = 10, since so
    // many go within a second.
    var costs =
        new Costs(
            16,
            0,
            KafkaCost.NOTHING,
            Cost.NOTHING,
            EnterCost.NOTHING,
            cpu(0.1, 0, 0),
            Cost.NOTHING,
            StartCost.NOTHING,
            Work.NONE);
    assertThat(claimingRate(costs, 500)).isCloseTo(2_000 / 0.1, Percentage.withPercentage(10));
    // Four workspaces get 4 * 64 each, which is the most for one.
    assertThat(claimingRate(costs, 4)).isCloseTo(1_024 / 0.1, Percentage.withPercentage(10));
  }

  @Test
  void aLoneRequestHasItsSlotWithItsRow() {
    var costs =
        new Costs(
            2,
            0,
            KafkaCost.of(
                new Cost(new Line(0.002, 0, 0), new Line(0.003, 0, 0)),
                new Work(0.001, 0),
                cpu(0.5, 0, 0)),
            cpu(0.5, 0.5, 0),
            new EnterCost(cpu(0.004, 0.001, 0.001), cpu(0.5, 0.5, 0.5)),
            cpu(0.5, 0.5, 0.5),
            cpu(0.5, 0, 0),
            start(new Work(0.001, 0.001)),
            Work.NONE);
    double[] farApart = IntStream.range(0, 9).mapToDouble(i -> i * 10.0).toArray();
    assertThat(new Simulation(costs, Limits.DEFAULT).medianLatency(farApart, 500))
        .isCloseTo(0.003 + 0.006 + 0.002, within(1e-6));
  }

  @Test
  void whatCameMeanwhileIsAskedForOnceMore() {
    var costs = storingInTenMillis(new Work(0, 0.050));
    // The first is stored at 10 ms; the others came while it was, and are fetched by 60.
    double median =
        new Simulation(costs, Limits.DEFAULT).medianLatency(new double[] {0, 0.001, 0.002}, 500);
    assertThat(median).isCloseTo(0.010 + 0.050 + 0.010 - 0.002, within(1e-6));
  }

  @Test
  void oneThatCameMeanwhileIsHeldForAMomentInCaseOthersCome() {
    var costs = storingInTenMillis(Work.NONE);
    var simulation = new Simulation(costs, Limits.DEFAULT);
    // Nobody comes for a millisecond after the first is stored.
    assertThat(simulation.medianLatency(new double[] {0, 0.001}, 500))
        .isCloseTo(0.010 + 0.001 + 0.010 - 0.001, within(1e-6));
    // Somebody comes 0.4 ms after that, and both are stored together.
    assertThat(simulation.medianLatency(new double[] {0, 0.001, 0.0104}, 500))
        .isCloseTo(0.010, within(1e-6));
  }
}
