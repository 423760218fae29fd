package dev.sluice.chaos.judge;

import dev.sluice.chaos.fault.Fault;
import dev.sluice.chaos.load.Acknowledged;
import dev.sluice.chaos.load.Workspace;
import dev.sluice.chaos.stack.Stack;
import dev.sluice.contracts.ExecutionIds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares what producers were told with what Temporal ran. The tables of Sluice are not asked,
 * except for what became of a request that Temporal never saw.
 */
public final class Judge {
  private static final Duration LONGEST_FAILOVER = Stack.SESSION_TIMEOUT.plusSeconds(2);
  private static final Set<String> VISIBLE_ENDS = Set.of("FAILED", "CANCELLED", "EXPIRED");

  private final Acknowledged acknowledged;
  private final Asked asked;
  private final Map<String, Run> runs;
  private final List<Run> allRuns;
  private final Verdict verdict = new Verdict();

  /**
   * @param listed every run that Temporal lists
   * @param find asks Temporal for one workflow by its id
   */
  public Judge(
      Acknowledged acknowledged,
      Asked asked,
      List<Run> listed,
      Function<String, Optional<Run>> find) {
    this.acknowledged = acknowledged;
    this.asked = asked;
    this.allRuns = new ArrayList<>(listed);
    this.runs = new HashMap<>();
    listed.forEach(run -> runs.put(run.workflowId(), run));
    for (UUID id : asked.requests().keySet()) {
      String workflowId = ExecutionIds.workflowId(id);
      if (!runs.containsKey(workflowId)) {
        find.apply(workflowId)
            .ifPresent(
                run -> {
                  runs.put(workflowId, run);
                  allRuns.add(run);
                });
      }
    }
  }

  public Verdict verdict() {
    return verdict;
  }

  public Collection<Run> runs() {
    return allRuns;
  }

  /**
   * @param statusOf how Sluice shows a request that was never started
   */
  public void exactlyOnce(
      Function<UUID, String> statusOf, Map<String, Set<String>> workflowsByName) {
    verdict.tell("acknowledged requests", acknowledged.size());
    verdict.tell("acknowledgements, repeated ones included", acknowledged.acknowledgements());
    verdict.tell("answers that were no acknowledgement", acknowledged.otherAnswers());
    verdict.tell("requests in the topic", asked.requests().size());
    verdict.tell("workflows in Temporal", runs.size());
    verdict.mustBeNone("lost", lost(statusOf));
    verdict.mustBeNone("started twice", twice(workflowsByName));
    verdict.mustBeNone("started without being asked for", unasked());
    verdict.mustBeNone("wrong answers to producers", acknowledged.wrongAnswers());
    verdict.mustBeNone(
        "dead letters", asked.deadLetters() == 0 ? List.of() : List.of(asked.deadLetters() + ""));
    verdict.mustBeNone(
        "still open",
        allRuns.stream().filter(run -> run.closed() == null).map(Run::workflowId).toList());
  }

  public void capacity(List<Workspace> workspaces) {
    Map<String, List<Run>> byWorkspace = byWorkspace();
    var over = new ArrayList<String>();
    var most = new ArrayList<String>();
    for (Workspace workspace : workspaces) {
      List<Run> own = byWorkspace.getOrDefault(workspace.id(), List.of());
      int open = Capacity.mostOpen(own);
      most.add(open + "/" + workspace.limit());
      for (int i = Capacity.startsOver(own, workspace.limit()); i > 0; i--) {
        over.add("%s had %d open, limit %d".formatted(workspace.id(), open, workspace.limit()));
      }
    }
    verdict.mustBeNone("starts over capacity", over);
    verdict.tell("most open at once / limit", String.join(" ", most));
  }

  /** Within a workspace and a priority, in the order of the topic. */
  public void order() {
    var lastStart = new HashMap<String, Run>();
    var violations = new ArrayList<String>();
    for (Asked.Request request : asked.requests().values()) {
      Run run = runs.get(ExecutionIds.workflowId(request.id()));
      if (run == null) {
        continue;
      }
      String line = request.workspaceId() + " priority " + request.priority();
      Run before = lastStart.get(line);
      if (before != null && run.started().isBefore(before.started())) {
        violations.add(
            "%s: %s started at %s, before %s at %s"
                .formatted(
                    line, run.workflowId(), run.started(), before.workflowId(), before.started()));
      } else {
        lastStart.put(line, run);
      }
    }
    verdict.mustBeNone("started out of order", violations);
  }

  public void faults(List<Fault> faults, List<Workspace> workspaces, Instant loadEnd) {
    verdict.tell("faults", faults.size());
    faults.stream()
        .collect(Collectors.groupingBy(Fault::kind, TreeMap::new, Collectors.counting()))
        .forEach((kind, times) -> verdict.tell("  " + kind.what(), times));
    for (Fault kill : faults) {
      if (!kill.orphaned().isEmpty()) {
        failover(kill, workspaces);
      }
    }
    for (Pauses.Pause pause : Pauses.longest(allRuns, faults, loadEnd, 5)) {
      verdict.tell(
          "pause between two starts", "%s, %s".formatted(seconds(pause.length()), pause.during()));
    }
  }

  private void failover(Fault kill, List<Workspace> workspaces) {
    Map<String, List<Run>> own = byWorkspace();
    var free = new HashMap<String, Instant>();
    for (Workspace workspace : workspaces) {
      List<Run> runs = own.getOrDefault(workspace.id(), List.of());
      free.put(workspace.id(), Capacity.freeFrom(runs, workspace.limit(), kill.from()));
    }
    String name = "kill -9 of a dispatcher: its workspaces go on after";
    Pauses.failover(kill, waiting(), free, Stack.SESSION_TIMEOUT)
        .ifPresentOrElse(
            time ->
                verdict.must(
                    name,
                    seconds(time),
                    "at most " + seconds(LONGEST_FAILOVER),
                    time.compareTo(LONGEST_FAILOVER) <= 0),
            () -> verdict.tell(name, "not known: none had a free slot and something to start"));
  }

  private Map<String, List<Run>> byWorkspace() {
    return asked.requests().values().stream()
        .filter(request -> runs.containsKey(ExecutionIds.workflowId(request.id())))
        .collect(
            Collectors.groupingBy(
                Asked.Request::workspaceId, Collectors.mapping(this::runOf, Collectors.toList())));
  }

  private List<String> lost(Function<UUID, String> statusOf) {
    return acknowledged.requests().stream()
        .filter(request -> !runs.containsKey(ExecutionIds.workflowId(request.id())))
        .map(
            request ->
                request.workspaceId() + " " + request.id() + " " + statusOf.apply(request.id()))
        .filter(line -> !VISIBLE_ENDS.contains(line.substring(line.lastIndexOf(' ') + 1)))
        .toList();
  }

  private List<String> twice(Map<String, Set<String>> workflowsByName) {
    var found = new ArrayList<String>();
    allRuns.stream()
        .collect(Collectors.groupingBy(Run::workflowId))
        .forEach(
            (workflow, list) -> {
              if (list.size() > 1) {
                found.add(workflow + " has " + list.size() + " runs");
              }
            });
    workflowsByName.forEach(
        (name, workflows) -> {
          if (workflows.size() > 1) {
            found.add(name + " ran as " + workflows);
          }
        });
    return found;
  }

  private List<String> unasked() {
    Set<String> known =
        asked.requests().keySet().stream()
            .map(ExecutionIds::workflowId)
            .collect(Collectors.toSet());
    return runs.keySet().stream().filter(workflow -> !known.contains(workflow)).toList();
  }

  private List<Pauses.Waiting> waiting() {
    return acknowledged.requests().stream()
        .filter(request -> runs.containsKey(ExecutionIds.workflowId(request.id())))
        .map(
            request -> {
              Run run = Objects.requireNonNull(runs.get(ExecutionIds.workflowId(request.id())));
              return new Pauses.Waiting(request.workspaceId(), request.at(), run.started());
            })
        .toList();
  }

  private Run runOf(Asked.Request request) {
    return Objects.requireNonNull(runs.get(ExecutionIds.workflowId(request.id())));
  }

  static String seconds(Duration time) {
    return "%.1f s".formatted(time.toMillis() / 1000.0);
  }
}
