package dev.sluice.recovery;

import dev.sluice.recovery.job.LockedJob;
import dev.sluice.recovery.job.Loop;
import dev.sluice.recovery.lead.LeadSettings;
import dev.sluice.recovery.lead.Leadership;
import dev.sluice.recovery.reconcile.ReconcileSettings;
import dev.sluice.recovery.reconcile.Reconciler;
import dev.sluice.recovery.relay.Relay;
import dev.sluice.recovery.relay.RelaySettings;
import dev.sluice.recovery.relay.SlotWatch;
import dev.sluice.recovery.retention.Retention;
import dev.sluice.recovery.retention.RetentionSettings;
import dev.sluice.recovery.stuck.ClaimFollower;
import dev.sluice.recovery.stuck.StuckSettings;
import dev.sluice.recovery.stuck.Sweep;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.LockProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Schedules every background behaviour: the streaming ones for the leader, the jobs for anyone. */
@Component
class RecoveryLoops implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(RecoveryLoops.class);
  private static final Duration RELAY_ROUND = Duration.ofMillis(100);

  private final Leadership leadership;
  private final Relay relay;
  private final SlotWatch slot;
  private final ClaimFollower claims;
  private final Jobs jobs;
  private final Intervals intervals;
  private final LockProvider locks;
  private final MeterRegistry meters;
  private final List<Loop> running = new ArrayList<>();

  /** What runs under a lock of its own. */
  @Component
  record Jobs(Sweep sweep, Reconciler reconciler, Retention retention) {}

  @Component
  record Intervals(
      LeadSettings lead,
      RelaySettings relay,
      StuckSettings stuck,
      ReconcileSettings reconcile,
      RetentionSettings retention) {}

  RecoveryLoops(
      Leadership leadership,
      Relay relay,
      SlotWatch slot,
      ClaimFollower claims,
      Jobs jobs,
      Intervals intervals,
      LockProvider locks,
      MeterRegistry meters) {
    this.leadership = leadership;
    this.relay = relay;
    this.slot = slot;
    this.claims = claims;
    this.jobs = jobs;
    this.intervals = intervals;
    this.locks = locks;
    this.meters = meters;
  }

  @Override
  public synchronized void start() {
    running.add(Loop.start("lead", intervals.lead().check(), leadership::runOnce));
    running.add(Loop.start("relay", RELAY_ROUND, relay::runOnce));
    running.add(Loop.start("slot", intervals.relay().heartbeat(), slot::runOnce));
    running.add(Loop.start("claims", intervals.stuck().check(), claims::runOnce));
    running.add(job("sweep", intervals.stuck().sweep(), jobs.sweep()::runOnce));
    running.add(job("reconcile", intervals.reconcile().every(), jobs.reconciler()::runOnce));
    running.add(job("retention", intervals.retention().every(), jobs.retention()::runOnce));
  }

  private Loop job(String name, Duration every, Loop.Round work) {
    return new LockedJob(name, every, locks, meters, work).start();
  }

  /** The lead goes last: until the stream is closed, nobody else may have it. */
  @Override
  public synchronized void stop() {
    running.forEach(Loop::stop);
    relay.stopWaiting();
    try {
      for (Loop loop : running.reversed()) {
        loop.close();
      }
      relay.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.atWarn().log("the stop was interrupted");
    }
    leadership.close();
    running.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return !running.isEmpty();
  }
}
