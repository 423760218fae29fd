package dev.sluice.bench.part;

import dev.sluice.bench.stack.Broker;
import dev.sluice.bench.stack.IngestClient;
import dev.sluice.bench.stack.Requests;
import dev.sluice.contracts.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A request over HTTP until it is acknowledged, beside the same record produced to Kafka. Nobody
 * reads meanwhile: no dispatcher runs.
 */
final class IngestSeries {
  private static final int ROUNDS = 3;
  private static final int CALLS = 3_000;
  private static final int OPEN_LOOP_SECONDS = 3;
  private static final String BARE_TOPIC = "bench.bare";

  private final IngestClient client;
  private final Requests requests;

  private IngestSeries(IngestClient client, Requests requests) {
    this.client = client;
    this.requests = requests;
  }

  /** What one way gives: at its most, and at half of what HTTP gives. */
  private record Result(double perSecond, double p99Millis) {}

  static void run(Bench bench, IngestClient client) throws InterruptedException {
    try (var broker = new Broker(bench.servers());
        var requests = new Requests(bench.servers().kafka())) {
      broker.makeTopicLike(BARE_TOPIC, Topics.REQUESTS);
      try {
        new IngestSeries(client, requests).rounds(bench);
      } finally {
        broker.empty(Topics.REQUESTS); // a dispatcher that comes later has not to do with these
        broker.empty(BARE_TOPIC);
      }
    }
  }

  private void rounds(Bench bench) throws InterruptedException {
    var http = new ArrayList<Result>();
    var bare = new ArrayList<Result>();
    for (int round = 0; round <= ROUNDS; round++) {
      double httpRate = ClosedLoop.rate(ServicesPart.CALLERS, CALLS, this::overHttp);
      double bareRate = ClosedLoop.rate(ServicesPart.CALLERS, CALLS, this::bare);
      Result overHttp = new Result(httpRate, p99(overHttpByTimetable(httpRate / 2, round)));
      Result produced = new Result(bareRate, p99(bareByTimetable(httpRate / 2, round)));
      bench
          .console()
          .say(
              "ingest%s: HTTP %,.0f/s, bare produce %,.0f/s; at %,.0f/s p99 %.2f ms and %.2f ms",
              round == 0 ? " (warm-up)" : "",
              httpRate,
              bareRate,
              httpRate / 2,
              overHttp.p99Millis(),
              produced.p99Millis());
      if (round > 0) {
        http.add(overHttp);
        bare.add(produced);
      }
    }
    show(bench, http, bare);
  }

  private void overHttp(int n) throws Exception {
    var _ = client.enqueue(ServicesPart.workspace(n)).get(60, TimeUnit.SECONDS);
  }

  private void bare(int n) throws Exception {
    requests.sendAndWait(Requests.to(BARE_TOPIC, ServicesPart.workspace(n)));
  }

  private Histogram overHttpByTimetable(double rate, int seed) {
    return byTimetable(
        rate,
        seed,
        (loop, n) -> {
          var _ =
              client
                  .enqueue(ServicesPart.workspace(n))
                  .whenComplete((id, failure) -> answered(loop, n, failure));
        });
  }

  private Histogram bareByTimetable(double rate, int seed) {
    return byTimetable(
        rate,
        seed,
        (loop, n) ->
            requests.send(
                Requests.to(BARE_TOPIC, ServicesPart.workspace(n)),
                (where, failure) -> answered(loop, n, failure)));
  }

  private interface Sender {
    void send(OpenLoop loop, int n);
  }

  private static Histogram byTimetable(double rate, int seed, Sender sender) {
    int count = (int) (rate * OPEN_LOOP_SECONDS);
    var loop = new OpenLoop();
    loop.run(rate, count, seed, Integer::toString, n -> sender.send(loop, n));
    return loop.result(count);
  }

  private static void answered(OpenLoop loop, int n, @Nullable Throwable failure) {
    if (failure == null) {
      loop.started(Integer.toString(n), System.nanoTime());
    } else {
      loop.failed(failure);
    }
  }

  private static double p99(Histogram latencies) {
    return LatencyPart.millis(latencies, 99);
  }

  private static void show(Bench bench, List<Result> http, List<Result> bare) {
    var ratios = new ArrayList<Double>();
    for (int i = 0; i < http.size(); i++) {
      ratios.add(http.get(i).perSecond() / bare.get(i).perSecond());
    }
    bench.rows().add("ingest.vs_bare_produce", "ratio", ratios);
    bench.rows().add("ingest.http_requests_per_second", "requests/s", rates(http));
    bench.rows().add("ingest.http_p99_ms", "ms", tails(http));
    bench.rows().add("ingest.bare_produce_per_second", "records/s", rates(bare));
    bench.rows().add("ingest.bare_produce_p99_ms", "ms", tails(bare));
  }

  private static List<Double> rates(List<Result> rounds) {
    return rounds.stream().map(Result::perSecond).toList();
  }

  private static List<Double> tails(List<Result> rounds) {
    return rounds.stream().map(Result::p99Millis).toList();
  }
}
