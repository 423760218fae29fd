package dev.sluice.recovery.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;

/** What an operator sees of the relay. */
public final class RelayMetrics {
  private final MeterRegistry meters;
  private final Counter relayed;
  private final Counter replayed;
  private final Counter streamEnds;
  private final Timer commitToEvent;
  private volatile double slotLagBytes = Double.NaN;
  private volatile double relayLagSeconds = Double.NaN;
  private volatile Duration databaseAhead = Duration.ZERO;

  public RelayMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.relayed = counter("sluice.outbox.events.relayed", "events written from the stream");
    this.replayed = counter("sluice.outbox.events.replayed", "events told again from the tables");
    this.streamEnds = counter("sluice.outbox.stream.restarts", "times the stream ended");
    this.commitToEvent =
        Timer.builder("sluice.outbox.commit.to.event")
            .description("From the commit of a change to its event's acknowledgement")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofMillis(1))
            .maximumExpectedValue(Duration.ofMinutes(10))
            .register(meters);
    Gauge.builder("sluice.replication.slot.lag", () -> slotLagBytes)
        .baseUnit("bytes")
        .description("Write-ahead log the server keeps for the relay")
        .register(meters);
    Gauge.builder("sluice.outbox.relay.lag", () -> relayLagSeconds)
        .baseUnit("seconds")
        .description("Age of the newest change that is on the topic, when newer ones wait")
        .register(meters);
  }

  /** The two clocks are compared where both are known; ours may be an hour off. */
  void databaseTime(Instant database, Instant ours) {
    databaseAhead = Duration.between(ours, database);
  }

  Instant databaseNow() {
    return Instant.now().plus(databaseAhead);
  }

  void relayed(int events, Instant committedAt) {
    relayed.increment(events);
    Duration took = Duration.between(committedAt, databaseNow());
    commitToEvent.record(took.isNegative() ? Duration.ZERO : took);
    relayLag(took);
  }

  void relayLag(Duration lag) {
    relayLagSeconds = Math.max(0, lag.toNanos() / 1e9);
  }

  void slotLag(long bytes) {
    slotLagBytes = bytes;
  }

  void replayed(int events) {
    replayed.increment(events);
  }

  void setAside(String reason) {
    meters.counter("sluice.outbox.set.aside", "reason", reason).increment();
  }

  void slotMade(String reason) {
    meters.counter("sluice.replication.slot.remade", "reason", reason).increment();
  }

  void streamEnded() {
    streamEnds.increment();
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(meters);
  }

  public double relayLagSeconds() {
    return relayLagSeconds;
  }

  public double slotLagBytes() {
    return slotLagBytes;
  }
}
