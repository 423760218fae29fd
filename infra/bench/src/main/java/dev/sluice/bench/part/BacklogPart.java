package dev.sluice.bench.part;

import dev.sluice.bench.stack.RenewedTemporal;
import dev.sluice.bench.stack.Tables;
import dev.sluice.servers.LocalKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The same work, once with few rows waiting and once with a million: a request comes for a
 * workspace that has one slot free and somebody in line, who gets it, and waits. So there are as
 * many waiting afterwards as before. First the queue alone: what is started returns at once. Then,
 * without a goal, with starts in Temporal.
 *
 * <p>Two dispatchers stand side by side, each with a Kafka and a database of its own, and take
 * turns: a wave is over in a quarter of a second, so what the host does in a minute falls on both.
 *
 * <p>With few waiting there are as few workspaces with somebody in line, so the requests come in
 * waves, one for each of these. What it costs that somebody is in line at all is another question,
 * with a row of its own: other workspaces have nobody in line in the one database, where a request
 * gets its slot with its row, and a hundred in the other.
 */
final class BacklogPart implements Part {
  private static final int WORKSPACES = 10_000;
  private static final int MANY = 1_000_000;
  private static final int FEW = 1_000;

  /** That count. How the records of one wave fall into fetches makes 15 % of difference. */
  private static final int PAIRS = 40;

  private static final int PAIRS_STARTED = 20;
  private static final int PAIRS_ELSEWHERE = 3;

  /** Each dispatcher's first starts in a new Temporal, which find out that it is another. */
  private static final int RECONNECTING = 20;

  /** Before the first that counts: plans are made, what waits is counted, code is compiled. */
  private static final int UNMEASURED_PAIRS = 12;

  private static final int PAIRS_A_LINE = 10;
  private static final String PREFIX = "b";

  /** Those with somebody in line in either database. */
  private static final List<String> IN_LINE = workspaces(0, FEW);

  private static final List<String> ELSEWHERE = workspaces(WORKSPACES / 2, WORKSPACES);

  /**
   * A wave of each side, one after the other.
   *
   * @param few seconds with few waiting
   * @param many seconds with many
   */
  private record Pair(double few, double many) {
    double ratio() {
      return few / many;
    }
  }

  @Override
  public void run(Bench bench) throws InterruptedException {
    try (var temporal = new RenewedTemporal();
        Tables withFew = BacklogSide.filled(bench, PREFIX, WORKSPACES, FEW);
        Tables withMany = BacklogSide.filled(bench, PREFIX, WORKSPACES, MANY);
        LocalKafka another = bench.servers().anotherKafka();
        var few = new BacklogSide(bench.servers().kafka(), withFew, temporal.address());
        var many = new BacklogSide(another, withMany, temporal.address())) {
      for (int n = 0; n < UNMEASURED_PAIRS; n++) {
        var _ = pair(few, many, IN_LINE, n);
      }
      queue(bench, few, many);
      few.startInTemporal();
      many.startInTemporal();
      started(bench, few, many, temporal);
      few.end(bench, "1k");
      many.end(bench, "1m");
    }
  }

  private static void queue(Bench bench, BacklogSide few, BacklogSide many)
      throws InterruptedException {
    List<Double> ratios = measure(bench, "backlog", PAIRS, few, many, () -> {});
    var priceOfALine = new ArrayList<Double>();
    for (int n = 0; n < PAIRS_ELSEWHERE; n++) {
      priceOfALine.add(pair(few, many, ELSEWHERE, n).ratio());
    }
    bench.rows().add("backlog.rate_1m_vs_1k", "ratio", ratios);
    few.showRates(bench, "backlog.rate_per_second_1k");
    many.showRates(bench, "backlog.rate_per_second_1m");
    bench.rows().add("backlog.rate_in_line_vs_nobody_in_line", "ratio", priceOfALine);
  }

  /** With an empty Temporal for each pair: what is open there makes each start slower. */
  private static void started(
      Bench bench, BacklogSide few, BacklogSide many, RenewedTemporal temporal)
      throws InterruptedException {
    Before renewed =
        () -> {
          temporal.renew();
          var _ = pair(few, many, IN_LINE.subList(0, RECONNECTING), 0);
        };
    for (int n = 0; n < UNMEASURED_PAIRS; n++) {
      renewed.pair();
      var _ = pair(few, many, IN_LINE, n);
    }
    List<Double> ratios = measure(bench, "backlog_started", PAIRS_STARTED, few, many, renewed);
    bench.rows().add("backlog.started_rate_1m_vs_1k", "ratio", ratios);
    few.showRates(bench, "backlog.started_rate_per_second_1k");
    many.showRates(bench, "backlog.started_rate_per_second_1m");
  }

  private interface Before {
    void pair() throws InterruptedException;
  }

  private static List<Double> measure(
      Bench bench, String name, int pairs, BacklogSide few, BacklogSide many, Before before)
      throws InterruptedException {
    var ratios = new ArrayList<Double>();
    Rounds.run(
        bench,
        name,
        pairs,
        n -> {
          before.pair();
          Pair pair = pair(few, many, IN_LINE, n);
          if ((n + 1) % PAIRS_A_LINE == 0) {
            bench
                .console()
                .say(
                    "%s, pair %d: %,d starts took %.0f ms with %,d waiting, %.0f with %,d",
                    name, n + 1, FEW, pair.few() * 1000, FEW, pair.many() * 1000, MANY);
          }
          return () -> {
            ratios.add(pair.ratio());
            few.count(FEW / pair.few());
            many.count(FEW / pair.many());
          };
        });
    return ratios;
  }

  /** Each side comes first in every second pair. */
  private static Pair pair(BacklogSide few, BacklogSide many, List<String> workspaces, int n)
      throws InterruptedException {
    boolean fewFirst = n % 2 == 0;
    double first = (fewFirst ? few : many).wave(workspaces);
    double second = (fewFirst ? many : few).wave(workspaces);
    return fewFirst ? new Pair(first, second) : new Pair(second, first);
  }

  private static List<String> workspaces(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> PREFIX + n).toList();
  }
}
