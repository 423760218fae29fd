package dev.sluice.chaos;

import dev.sluice.chaos.judge.Histories;
import dev.sluice.chaos.judge.Run;
import dev.sluice.chaos.judge.Verdict;
import dev.sluice.chaos.load.Api;
import dev.sluice.chaos.load.Work;
import dev.sluice.chaos.stack.Await;
import dev.sluice.chaos.stack.Stack;
import dev.sluice.contracts.ExecutionIds;
import dev.sluice.contracts.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Temporal away for three minutes with 1,000 waiting: none may fail, and the drain afterwards is
 * compared with the same 1,000 sent while all was well.
 */
final class OutageRun {
  private static final Duration AWAY = Duration.ofMinutes(3);
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);
  private static final int WORKSPACES = 50;
  private static final int EACH = 20;
  private static final int FEW = 4;
  private static final double LEAST_RATIO = 0.8;

  private final Stack stack;
  private final Console console;
  private final Api api;
  private final List<String> workspaces = new ArrayList<>();

  OutageRun(Stack stack, Console console) {
    this.stack = stack;
    this.console = console;
    this.api = new Api(stack.api());
    for (int i = 1; i <= WORKSPACES; i++) {
      workspaces.add("outage-" + i);
    }
  }

  Verdict run() throws IOException {
    if (!stack.hasRealTemporal()) {
      throw new IllegalStateException(
          "this needs a real Temporal server, because the in-memory one forgets all when it stops;"
              + " put a temporal CLI on the PATH or set TEMPORAL_CLI");
    }
    stack.start();
    console.say("ready");
    var temporal = Work.stubs(stack.temporalAddress());
    try (var work = new Work(stack.temporalAddress())) {
      work.start();
      prepare();
      var histories = new Histories(temporal, true);
      drain("warm-up", send("warm-up", FEW));
      Set<UUID> normal = send("normal", EACH);
      drain("normal", normal);
      console.say("stop temporal for %d s".formatted(AWAY.toSeconds()));
      long stopped = System.nanoTime();
      stack.temporal().stop();
      Set<UUID> waiting = send("waiting", EACH);
      console.say(waiting.size() + " are waiting");
      Await.pause(AWAY.minusNanos(System.nanoTime() - stopped));
      console.say("start temporal");
      Instant asked = Instant.now();
      stack.temporal().start();
      Instant back = Instant.now();
      console.say(
          "temporal is back after %d s".formatted(Duration.between(asked, back).toSeconds()));
      work.reconnect();
      drain("after the outage", waiting);
      // The machine may have become slower or faster meanwhile.
      Set<UUID> again = send("again", EACH);
      drain("normal, again", again);
      return verdict(histories, List.of(normal, again), waiting, back);
    } finally {
      temporal.shutdownNow();
    }
  }

  private void prepare() throws IOException {
    var definition = Json.MAPPER.createObjectNode();
    definition.put("workflowType", Work.TYPE).put("taskQueue", Work.TASK_QUEUE);
    var plan = Json.MAPPER.createObjectNode().put("plan", "ENTERPRISE");
    for (String workspace : workspaces) {
      api.put("workspaces/" + workspace, plan);
      api.put("workspaces/" + workspace + "/definitions/work", definition);
    }
  }

  private Set<UUID> send(String round, int each) throws IOException {
    var ids = new HashSet<UUID>();
    for (String workspace : workspaces) {
      var body = Json.MAPPER.createObjectNode();
      var list = body.putArray("executions");
      for (int i = 1; i <= each; i++) {
        var one = list.addObject().put("definitionId", "work");
        one.putObject("input")
            .put("name", workspace + "/" + round + "/" + i)
            .put("milliseconds", 0);
      }
      var answer = api.post("workspaces/" + workspace + "/executions:batch", body);
      if (answer.status() != 202) {
        throw new IllegalStateException("a batch was answered " + answer.status());
      }
      for (var one : answer.body().path("executions")) {
        ids.add(UUID.fromString(one.path("id").asString()));
      }
    }
    return ids;
  }

  private void drain(String round, Set<UUID> ids) {
    boolean drained = new Drained(api, workspaces).await(LONGEST_DRAIN);
    console.say(
        "%s: %d sent, %s".formatted(round, ids.size(), drained ? "all done" : "NOT all done"));
  }

  private Verdict verdict(
      Histories histories, List<Set<UUID>> normal, Set<UUID> waiting, Instant back) {
    var verdict = new Verdict();
    List<Run> runs = histories.all();
    List<Instant> after = starts(runs, waiting);
    verdict.must(
        "started, of " + waiting.size() + " that waited",
        Integer.toString(after.size()),
        Integer.toString(waiting.size()),
        after.size() == waiting.size());
    verdict.mustBeNone("FAILED", new Statuses(api).failed(workspaces));
    Optional<Instant> first = after.stream().findFirst();
    first.ifPresent(
        at ->
            verdict.tell(
                "first start after Temporal was back",
                Duration.between(back, at).toMillis() + " ms"));
    List<Double> normalRates = normal.stream().map(ids -> rate(starts(runs, ids))).toList();
    double normalRate = normalRates.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    double drainRate = rate(after);
    verdict.tell(
        "starts a second, normal, before and after",
        "%.1f, %.1f".formatted(normalRates.getFirst(), normalRates.getLast()));
    verdict.tell("starts a second, out of the outage", "%.1f".formatted(drainRate));
    double ratio = drainRate / normalRate;
    verdict.must(
        "drain / normal", "%.2f".formatted(ratio), "at least " + LEAST_RATIO, ratio >= LEAST_RATIO);
    return verdict;
  }

  private static List<Instant> starts(List<Run> runs, Set<UUID> ids) {
    var workflows = new HashSet<String>();
    ids.forEach(id -> workflows.add(ExecutionIds.workflowId(id)));
    return runs.stream()
        .filter(run -> workflows.contains(run.workflowId()))
        .map(Run::started)
        .sorted(Comparator.naturalOrder())
        .toList();
  }

  /** From the first start to the last. */
  private static double rate(List<Instant> starts) {
    return starts.size() < 2
        ? 0
        : (starts.size() - 1)
            * 1000.0
            / Duration.between(starts.getFirst(), starts.getLast()).toMillis();
  }
}
