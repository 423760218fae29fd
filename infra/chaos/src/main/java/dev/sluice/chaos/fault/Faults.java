package dev.sluice.chaos.fault;

import dev.sluice.chaos.stack.Await;
import dev.sluice.chaos.stack.Part;
import dev.sluice.chaos.stack.Stack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does one fault after the other; each is over when every process answers again. */
public final class Faults implements AutoCloseable {
  private static final Duration RECOVERED = Duration.ofSeconds(180);

  /** Until the workspaces of a killed dispatcher must go on, and a little longer. */
  private static final Duration FAILOVER = Stack.SESSION_TIMEOUT.plusSeconds(4);

  private static final String TERMINATE =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE pid <> pg_backend_pid() AND usename = 'sluice'";

  private final Stack stack;
  private final Schedule schedule;
  private final List<String> workspaces;
  private final Consumer<String> log;
  private final Runnable temporalIsBack;
  private final Owners owners;
  private final List<Fault> done = new CopyOnWriteArrayList<>();
  private volatile String last = "none yet";

  public Faults(
      Stack stack,
      Schedule schedule,
      List<String> workspaces,
      Consumer<String> log,
      Runnable temporalIsBack) {
    this.stack = stack;
    this.schedule = schedule;
    this.workspaces = workspaces;
    this.log = log;
    this.temporalIsBack = temporalIsBack;
    this.owners = new Owners(stack.kafkaAddress());
    owners.setSessionTimeout(Stack.SESSION_TIMEOUT.toMillis());
  }

  public List<Fault> done() {
    return List.copyOf(done);
  }

  public String last() {
    return last;
  }

  /** The next one of the schedule; returns when everything answers again. */
  public void next() {
    FaultKind kind = schedule.next();
    if (!stack.hasRealTemporal()) {
      kind = kind.withoutRealTemporal();
    }
    Instant from = Instant.now();
    Struck struck =
        switch (kind) {
          case KILL_DISPATCHER -> killDispatcher();
          case FREEZE_DISPATCHER -> freezeDispatcher();
          case KILL_BOTH_DISPATCHERS -> killBoth();
          case KILL_INGEST -> killAndStart(stack.ingest());
          case KILL_RECOVERY -> killAndStart(stack.recovery());
          case ROLLING_RESTART -> rollingRestart();
          case TERMINATE_BACKENDS -> terminateBackends();
          case RESTART_POSTGRES -> restart(stack.postgres(), schedule.between(1, 8));
          case CRASH_POSTGRES -> crash(stack.postgres(), schedule.between(0, 3));
          case RESTART_KAFKA -> restart(stack.kafka(), schedule.between(1, 5));
          case KAFKA_AWAY -> crash(stack.kafka(), schedule.between(10, 60));
          case STOP_TEMPORAL -> restart(stack.temporal(), schedule.between(10, 60));
          case FREEZE_TEMPORAL -> freezeTemporal();
          case KILL_DISPATCHER_WITHOUT_TEMPORAL -> killWithoutTemporal();
        };
    switch (kind) {
      case STOP_TEMPORAL, FREEZE_TEMPORAL, KILL_DISPATCHER_WITHOUT_TEMPORAL -> temporalIsBack.run();
      default -> {}
    }
    stack.awaitHealthy(RECOVERED);
    Instant at = struck.at() == null ? from : struck.at();
    done.add(new Fault(kind, struck.detail(), at, Instant.now(), struck.orphaned()));
  }

  @Override
  public void close() {
    owners.close();
  }

  /** How a fault went, for the record. */
  private record Struck(String detail, @Nullable Instant at, Set<String> orphaned) {
    Struck(String detail) {
      this(detail, null, Set.of());
    }
  }

  private Struck killDispatcher() {
    Part victim = stack.dispatchers().get(schedule.pick(2));
    Set<String> orphaned = owners.workspacesOf(victim.name(), workspaces);
    say("kill -9 " + victim.name() + ", owner of " + orphaned.size() + " workspaces");
    Instant at = Instant.now();
    victim.kill();
    // Started again when the other one must have taken over, so that the takeover is what counts.
    Await.pause(FAILOVER);
    say("start " + victim.name());
    victim.start();
    return new Struck(victim.name(), at, orphaned);
  }

  private Struck freezeDispatcher() {
    Part victim = stack.dispatchers().get(schedule.pick(2));
    Duration time = Stack.SESSION_TIMEOUT.plus(schedule.between(3, 9));
    say("SIGSTOP %s for %d s".formatted(victim.name(), time.toSeconds()));
    victim.freeze();
    Await.pause(time);
    say("SIGCONT " + victim.name());
    victim.thaw();
    Await.pause(schedule.between(3, 5));
    return new Struck(victim.name() + " " + time.toSeconds() + " s");
  }

  private Struck killBoth() {
    say("kill -9 both dispatchers");
    stack.dispatchers().forEach(Part::kill);
    Await.pause(schedule.between(1, 6));
    say("start both dispatchers");
    stack.dispatchers().forEach(Part::launch);
    stack.dispatchers().forEach(dispatcher -> dispatcher.awaitReady(RECOVERED));
    return new Struck("both");
  }

  private Struck killAndStart(Part part) {
    say("kill -9 " + part.name());
    part.kill();
    Await.pause(schedule.between(1, 6));
    say("start " + part.name());
    part.start();
    return new Struck(part.name());
  }

  private Struck rollingRestart() {
    var parts = new ArrayList<>(stack.dispatchers());
    parts.add(stack.ingest());
    parts.add(stack.recovery());
    for (Part part : parts) {
      say("SIGTERM and start " + part.name());
      part.stop();
      part.start();
    }
    return new Struck("all services");
  }

  private Struck terminateBackends() {
    say("terminate all backends, three times");
    for (int i = 0; i < 3; i++) {
      try (var connection = DriverManager.getConnection(stack.databaseUrl(), "sluice", "sluice");
          var statement = connection.createStatement()) {
        statement.execute(TERMINATE);
      } catch (SQLException e) {
        throw new IllegalStateException("backends cannot be terminated", e);
      }
      Await.pause(Duration.ofMillis(500));
    }
    return new Struck("all backends");
  }

  private Struck restart(Part part, Duration away) {
    say("stop %s for %.1f s".formatted(part.name(), away.toMillis() / 1000.0));
    part.stop();
    return back(part, away);
  }

  private Struck crash(Part part, Duration away) {
    say("crash %s for %.1f s".formatted(part.name(), away.toMillis() / 1000.0));
    part.kill();
    return back(part, away);
  }

  private Struck back(Part part, Duration away) {
    Await.pause(away);
    say("start " + part.name());
    part.start();
    return new Struck("%s %.1f s".formatted(part.name(), away.toMillis() / 1000.0));
  }

  private Struck freezeTemporal() {
    Duration time = schedule.between(10, 25);
    say("SIGSTOP temporal for %d s".formatted(time.toSeconds()));
    stack.temporal().freeze();
    Await.pause(time);
    say("SIGCONT temporal");
    stack.temporal().thaw();
    return new Struck("temporal " + time.toSeconds() + " s");
  }

  private Struck killWithoutTemporal() {
    Part victim = stack.dispatchers().get(schedule.pick(2));
    say("stop temporal, kill -9 " + victim.name());
    stack.temporal().stop();
    Await.pause(schedule.between(2, 5));
    victim.kill();
    Await.pause(schedule.between(1, 10));
    say("start " + victim.name() + ", then temporal");
    victim.start();
    stack.temporal().start();
    return new Struck(victim.name() + ", temporal");
  }

  private void say(String what) {
    last = what;
    log.accept(what);
  }
}
