package dev.sluice.dispatcher.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.contracts.Signal;
import dev.sluice.contracts.WorkflowStatus;
import dev.sluice.dispatcher.simulator.FakeTemporal.Run;
import dev.sluice.dispatcher.simulator.FakeTemporal.StartCall;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What producers, operators, workers and the clock may do next. */
final class OutsideMoves {
  private static final List<WorkflowStatus> ENDS =
      List.of(
          WorkflowStatus.COMPLETED,
          WorkflowStatus.COMPLETED,
          WorkflowStatus.FAILED,
          WorkflowStatus.TERMINATED,
          WorkflowStatus.TIMED_OUT);
  private static final List<Integer> PAUSES = List.of(5, 250, 1_100, 6_000, 31_000);

  private final Simulation sim;
  private final World world;
  private final Dice dice;
  private final Choices choices;
  private int requestsLeft;

  OutsideMoves(Simulation sim, Choices choices) {
    this.sim = sim;
    this.world = sim.world;
    this.dice = world.dice;
    this.choices = choices;
    this.requestsLeft = dice.between(4, 14);
  }

  /** What is still to come, comes now. */
  void requestTheRest() {
    while (requestsLeft-- > 0) {
      world.request(dice.pick(world.workspaces), false);
    }
  }

  /** One more, unless all have come. */
  void requestOneMore() {
    if (requestsLeft > 0) {
      request();
    }
  }

  void offer() {
    if (requestsLeft > 0) {
      choices.can(8, this::request);
    }
    choices.can(4, this::timePasses);
    List<Run> open = world.temporal.open();
    if (!open.isEmpty()) {
      choices.can(5, () -> close(dice.pick(open)));
    }
    if (!world.items.isEmpty()) {
      Item item = dice.pick(List.copyOf(world.items.values()));
      choices.may(
          Fault.DUPLICATE,
          2,
          () -> {
            world.repeat(item);
            sim.note("request %s comes again", item);
          });
      choices.may(
          Fault.CANCEL,
          1,
          () -> {
            world.cancel(item);
            sim.note("cancel of %s", item);
          });
      choices.may(Fault.NOTICE, 4, () -> notice(underWay().orElse(item)));
      choices.may(
          Fault.REDRIVE,
          2,
          () -> {
            world.signal(new Signal.Redrive(item.workspaceId, item.id));
            sim.note("redrive of %s is asked for", item);
          });
      choices.may(Fault.RETRY_BY_HAND, 1, () -> retry(item));
    }
    choices.may(Fault.LIMIT_CHANGE, 1, this::changeLimit);
  }

  private void request() {
    requestsLeft--;
    Item item =
        world.request(dice.pick(world.workspaces), sim.faults.contains(Fault.SPECIAL_ITEMS));
    sim.note(
        "request %s for %s, %s",
        item,
        item.workspaceId,
        item.isPlain() ? "plain" : "special, refused %d times".formatted(item.refusals));
  }

  private void timePasses() {
    if (dice.oneIn(5)) {
      world.passHours(2);
      sim.note("hours pass in the database");
    } else {
      int millis = dice.pick(PAUSES);
      world.clock.advance(millis);
      sim.note("%d ms pass", millis);
    }
  }

  private void close(Run run) {
    WorkflowStatus how = run.askedToStop ? WorkflowStatus.CANCELED : dice.pick(ENDS);
    world.temporal.close(run, how);
    sim.note("workflow of %s closes %s", world.items.get(run.requestId), how);
  }

  /** Some notices are about what is just being started, where they do most harm. */
  private Optional<Item> underWay() {
    List<StartCall> calls = world.temporal.calls();
    return calls.isEmpty() || dice.oneIn(2)
        ? Optional.empty()
        : Optional.of(world.items.get(dice.pick(calls).claim.id()));
  }

  /** Of anything, whether it has closed or not, to anybody. */
  private void notice(Item item) {
    List<Dispatcher> awake = sim.awake();
    if (dice.oneIn(2) || awake.isEmpty()) {
      world.signal(new Signal.Finished(item.workspaceId, item.id));
      sim.note("%s is said to be finished", item);
    } else {
      Dispatcher to = dice.pick(awake);
      sim.perform(to, () -> to.watcher.hint(item.id, item.workspaceId));
      sim.note("%s is told that %s has closed", to, item);
    }
  }

  /** A person sees that it FAILED, mends the cause perhaps, and asks for it again. */
  private void retry(Item item) {
    var row = world.judge.rows(world.names()).get(item.id);
    if (row == null || !row.state().equals("FAILED")) {
      return;
    }
    item.retriedByHand = true;
    if (dice.oneIn(2)) {
      item.refusals = 0;
    }
    UUID newId = UUID.nameUUIDFromBytes(item.id.toString().getBytes(UTF_8));
    world.signal(new Signal.Retry(item.workspaceId, item.id, newId, null));
    sim.note("%s is retried by hand", item);
  }

  private void changeLimit() {
    String workspace = dice.pick(world.workspaces);
    int limit = dice.between(0, 4);
    world.changeLimit(workspace, Math.max(1, limit));
    sim.note("limit of %s is %d", workspace, Math.max(1, limit));
  }
}
