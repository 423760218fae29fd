package dev.sluice.dispatcher.metrics;

import dev.sluice.dispatcher.trace.Traces;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/** The numbers an operator looks for, under the names of docs/metrics.md. */
public final class DispatcherMetrics {
  private final MeterRegistry registry;
  private final Traces traces;
  private final DistributionSummary batchSize;
  private final Timer batchDuration;
  private final Counter dispatched;
  private final Counter atCapacity;
  private final DistributionSummary retries;
  private final Counter taken;
  private final Counter zombieWrites;
  private final Counter deadLetters;
  private final Timer enqueueToStart;
  private final Timer slotFreeToStart;

  public DispatcherMetrics(MeterRegistry registry) {
    this(registry, Traces.off());
  }

  public DispatcherMetrics(MeterRegistry registry, Traces traces) {
    this.registry = registry;
    this.traces = traces;
    batchSize =
        DistributionSummary.builder("sluice.queue.processing.batch.size")
            .description("items claimed by one admission")
            .serviceLevelObjectives(1, 2, 5, 10, 20, 50, 100, 200, 500)
            .register(registry);
    batchDuration = timer("sluice.queue.processing.duration", "one admission, from lock to commit");
    dispatched = counter("sluice.queue.items.dispatched", "items started in Temporal");
    atCapacity = counter("sluice.queue.items.at.capacity", "times a workspace was found full");
    retries =
        DistributionSummary.builder("sluice.queue.retries")
            .description("attempts an item had used up when it was settled")
            .serviceLevelObjectives(1, 2, 3, 5, 10)
            .register(registry);
    taken = counter("sluice.queue.stale.recovery", "claims taken over from another dispatcher");
    zombieWrites =
        counter("sluice.zombie.writes", "settlements that came too late and changed nothing");
    deadLetters = counter("sluice.dead.letters", "records that could not become a row");
    enqueueToStart =
        timer("sluice.enqueue.to.start", "from acceptance, or when due, to DISPATCHED");
    slotFreeToStart =
        timer("sluice.slot.free.to.start", "from a close being known to the next start sent");
    failed("none"); // so that the name is there before the first failure
  }

  /** They travel together: a measurement taken within a span points to it. */
  public Traces traces() {
    return traces;
  }

  public void admitted(int items, Duration took) {
    batchSize.record(items);
    batchDuration.record(took);
  }

  public void dispatched(double waitedSeconds) {
    dispatched.increment();
    enqueueToStart.record(Duration.ofNanos((long) (Math.max(0, waitedSeconds) * 1e9)));
  }

  public void atCapacity() {
    atCapacity.increment();
  }

  public Counter failed(String reason) {
    return Counter.builder("sluice.queue.items.failed")
        .description("items that ended FAILED")
        .tag("reason", reason)
        .register(registry);
  }

  public void retries(int attempts) {
    retries.record(attempts);
  }

  public void takenOver(int claims) {
    taken.increment(claims);
  }

  public void zombieWrites(int rows) {
    zombieWrites.increment(rows);
  }

  public void deadLetter() {
    deadLetters.increment();
  }

  public void slotReused(Duration after) {
    slotFreeToStart.record(after);
  }

  /** Asked when somebody looks, not kept up to date in between. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(25),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofMillis(2500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5))
        .register(registry);
  }
}
