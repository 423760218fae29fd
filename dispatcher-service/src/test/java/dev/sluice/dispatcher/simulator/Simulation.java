package dev.sluice.dispatcher.simulator;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

/** One seed: a time of faults, a time of quiet, and a verdict. */
final class Simulation {
  private static final int LAST_LINES = 60;

  final World world;
  final SimulatedDatabase database;
  final Set<Fault> faults;
  final List<Dispatcher> dispatchers = new ArrayList<>();

  final Setting setting;
  private final long seed;
  private final Consumer<Simulation> turmoil;
  private final List<String> log = new ArrayList<>();
  private final int[] incarnations = new int[2];
  private boolean neededRecovery;

  /** What a seed came to. */
  record Outcome(
      long seed, List<String> violations, List<String> log, int runs, boolean neededRecovery) {
    boolean isFine() {
      return violations.isEmpty();
    }

    String story() {
      int from = Math.max(0, log.size() - LAST_LINES);
      return "seed %d: %s%n  %s%nreplay it alone with -Dsluice.sim.seed=%d"
          .formatted(
              seed,
              String.join("; ", violations),
              String.join("\n  ", log.subList(from, log.size())),
              seed);
    }
  }

  Simulation(long seed, SimulatedDatabase database, Mutation mutation) {
    this(seed, database, mutation, Setting::draw);
  }

  Simulation(
      long seed, SimulatedDatabase database, Mutation mutation, Function<Dice, Setting> setting) {
    this(seed, database, mutation, setting, sim -> new Turmoil(sim).run());
  }

  /**
   * @param turmoil what happens before all gets quiet
   */
  Simulation(
      long seed,
      SimulatedDatabase database,
      Mutation mutation,
      Function<Dice, Setting> setting,
      Consumer<Simulation> turmoil) {
    this.turmoil = turmoil;
    this.seed = seed;
    this.database = database;
    var dice = new Dice(seed);
    this.setting = setting.apply(dice);
    this.faults = EnumSet.copyOf(this.setting.faults());
    this.world =
        new World(seed, dice, this.setting, database.jdbc(), mutation, line -> note("%s", line));
  }

  Outcome run() {
    note("%s", setting);
    boolean orderly = setting.isOrderly();
    begin();
    try {
      turmoil.accept(this);
      neededRecovery = new Quiet(this).run(orderly);
    } finally {
      dispatchers.forEach(Dispatcher::die);
      world.clear();
    }
    return new Outcome(
        seed,
        List.copyOf(world.judge.violations()),
        log,
        world.temporal.runs().size(),
        neededRecovery);
  }

  private void begin() {
    world.clear();
    for (int i = 0; i < setting.workspaces(); i++) {
      world.addWorkspace(world.dice.between(1, setting.largestLimit()));
    }
    for (int i = 0; i < setting.dispatchers(); i++) {
      dispatchers.add(born(i));
    }
    for (int p = 0; p < FakeKafka.PARTITIONS; p++) {
      assign(p, dispatchers.get(p % setting.dispatchers()));
    }
  }

  private Dispatcher born(int index) {
    String name = (index == 0 ? "A" : "B") + ++incarnations[index];
    return new Dispatcher(name, database.connection(index), world);
  }

  /** A new process in the place of a dead one. It has to be given its partitions. */
  Dispatcher restart(int index) {
    Dispatcher next = born(index);
    dispatchers.set(index, next);
    note("%s starts", next);
    return next;
  }

  void assign(int partition, Dispatcher to) {
    world.kafka.assign(partition, to);
    perform(to, () -> to.gain(partition));
    note("%s gets partition %d", to, partition);
  }

  /** Lets a dispatcher do something, as its loops would: a lost connection is nothing special. */
  void perform(Dispatcher dispatcher, Runnable work) {
    try {
      work.run();
    } catch (Crash e) {
      note("%s crashes %s", dispatcher, e.getMessage());
      dispatcher.die();
    } catch (DataIntegrityViolationException e) {
      world.judge.violation(
          "PostgreSQL refuses what %s writes: %s".formatted(dispatcher, e.getMessage()));
    } catch (DataAccessException | TransactionException e) {
      note("%s loses its connection", dispatcher);
    } catch (RuntimeException e) {
      world.judge.violation(
          "%s fails: %s at %s".formatted(dispatcher, e, List.of(e.getStackTrace()).subList(0, 3)));
    }
    if (dispatcher.temporal.isDead()) {
      dispatcher.die(); // a crash on the way of an answer is not thrown to here
    }
  }

  synchronized void note(String format, Object... args) {
    log.add(format.formatted(args));
  }

  List<Dispatcher> awake() {
    return dispatchers.stream().filter(Dispatcher::isAwake).toList();
  }

  void tellWhatItLost(Dispatcher dispatcher) {
    List<Integer> lost =
        dispatcher.believed().stream().filter(p -> world.kafka.owner(p) != dispatcher).toList();
    if (!lost.isEmpty()) {
      perform(dispatcher, () -> dispatcher.lose(lost));
      note("%s learns that it lost %s", dispatcher, lost);
    }
  }

  /** The second does its work while the first has not committed, or waits for its lock. */
  void overlap(Dispatcher first, Dispatcher second, Runnable seconds) {
    note("%s and %s at the same time", first, second);
    var thread = new AtomicReference<@Nullable Thread>();
    first.wire.beforeNextCommit(
        () -> {
          Thread other =
              Thread.ofPlatform().name("second-dispatcher").start(() -> perform(second, seconds));
          thread.set(other);
          database.awaitEndedOrBlocked(other, dispatchers.indexOf(second));
        });
    first.afterNextTransaction(() -> join(thread.get()));
    perform(first, first::work);
    join(thread.get());
    first.wire.beforeNextCommit(() -> {});
    first.afterNextTransaction(() -> {});
  }

  /**
   * The first's partition goes to the second, who takes over while the first has not committed a
   * claim; the first hears of it after the commit and before it starts what it claimed.
   */
  void handOver(Dispatcher first, Dispatcher second, int partition) {
    note("%s loses partition %d to %s while it admits", first, partition, second);
    var thread = new AtomicReference<@Nullable Thread>();
    first.wire.beforeNextCommit(
        () -> {
          Thread other =
              Thread.ofPlatform().name("new-owner").start(() -> takeOver(second, partition));
          thread.set(other);
          database.awaitEndedOrBlocked(other, dispatchers.indexOf(second));
        });
    first.afterNextTransaction(
        () -> {
          join(thread.get());
          perform(first, () -> first.lose(List.of(partition)));
        });
    perform(first, first::work);
    join(thread.get());
    first.wire.beforeNextCommit(() -> {});
    first.afterNextTransaction(() -> {});
  }

  private void takeOver(Dispatcher owner, int partition) {
    assign(partition, owner);
    while (owner.isAwake() && owner.takeoverThread.hasDue()) {
      perform(owner, owner.takeoverThread::runNext);
    }
  }

  private static void join(@Nullable Thread thread) {
    try {
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
