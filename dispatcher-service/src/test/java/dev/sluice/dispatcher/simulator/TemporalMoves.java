package dev.sluice.dispatcher.simulator;

import dev.sluice.dispatcher.finish.CloseSource.Heard;
import dev.sluice.dispatcher.simulator.FakeTemporal.Poll;
import dev.sluice.dispatcher.simulator.FakeTemporal.StartCall;
import dev.sluice.dispatcher.start.StartOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may become of the calls that are on their way to Temporal. */
final class TemporalMoves {
  private final Simulation sim;
  private final World world;
  private final Choices choices;
  private final int promptness;

  TemporalMoves(Simulation sim, Choices choices) {
    this.sim = sim;
    this.world = sim.world;
    this.choices = choices;
    this.promptness = world.dice.pick(List.of(2, 6, 12));
  }

  void offer() {
    world.temporal.calls().forEach(this::call);
    world.temporal.polls().forEach(this::poll);
  }

  private void call(StartCall call) {
    boolean awaited = call.isAwaited() && awake(call.from);
    if (!call.reachedServer()) {
      choices.can(
          5,
          () -> {
            world.temporal.process(call);
            sim.note("%s: %s", call, call.result);
          });
    }
    if (call.reachedServer() && awaited) {
      choices.can(promptness, () -> answer(call, call.result));
    }
    if (awaited) {
      choices.may(Fault.UNKNOWN, 3, () -> answer(call, new StartOutcome.Unknown("deadline")));
      choices.may(
          Fault.OUTAGE,
          3,
          () -> {
            if (!call.reachedServer()) {
              world.temporal.drop(call);
            }
            answer(call, new StartOutcome.Outage("away"));
          });
    } else if (!call.reachedServer() && !call.isAwaited()) {
      choices.can(
          2,
          () -> {
            world.temporal.drop(call);
            sim.note("%s never arrives", call);
          });
    }
  }

  private boolean awake(TemporalEnd end) {
    return sim.awake().stream().anyMatch(d -> d.temporal == end);
  }

  private void answer(StartCall call, @Nullable StartOutcome outcome) {
    sim.note("%s is answered %s", call, outcome);
    owner(call.from, () -> call.answer.complete(outcome));
  }

  private void owner(TemporalEnd end, Runnable work) {
    Dispatcher owner =
        sim.dispatchers.stream().filter(d -> d.temporal == end).findFirst().orElseThrow();
    sim.perform(owner, work);
  }

  private void poll(Poll poll) {
    if (!awake(poll.from())) {
      return;
    }
    Heard truth = world.temporal.truth(poll);
    boolean closed = truth instanceof Heard.Closed;
    choices.can(
        closed ? 6 : 1,
        () -> {
          sim.note(
              "%s hears of %s: %s",
              poll.from(), world.items.get(poll.id()), closed ? "closed" : "still open");
          owner(poll.from(), () -> poll.answer().set(truth));
        });
    choices.may(
        Fault.OUTAGE,
        1,
        () -> {
          sim.note("%s hears nothing of %s", poll.from(), world.items.get(poll.id()));
          owner(
              poll.from(),
              () -> poll.answer().set(new Heard.Nothing(new IllegalStateException("away"))));
        });
  }
}
