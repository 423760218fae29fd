package dev.sluice.recovery.relay;

import dev.sluice.recovery.Fixture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;

/** A relay without the rest of the service, turned by hand. */
final class RelayRig implements AutoCloseable {
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final AtomicBoolean leads = new AtomicBoolean(true);
  final Queue<OutboxEvent> followed = new ConcurrentLinkedQueue<>();
  final Relay relay;
  final SlotWatch watch;

  RelayRig(Fixture fixture) {
    this(fixture, Fixture.kafka());
  }

  RelayRig(Fixture fixture, Map<String, Object> kafka) {
    var settings =
        new RelaySettings(
            fixture.slot(),
            "sluice_outbox",
            Duration.ofMillis(10),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMinutes(2),
            Duration.ofMillis(100));
    var parts =
        RelayConfiguration.parts(
            settings, fixture.database(), fixture.pool(), kafka, new RelayMetrics(meters));
    relay = new Relay(parts, leads::get, followed::add);
    watch = new SlotWatch(parts.ledger(), settings, parts.metrics(), relay::isStreaming);
  }

  /** Turns the relay until it streams, as its loop would. */
  RelayRig streaming() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              relay.runOnce();
              return relay.isStreaming();
            });
    return this;
  }

  double count(String meter) {
    return meters.find(meter).counters().stream().mapToDouble(c -> c.count()).sum();
  }

  @Override
  public void close() throws InterruptedException {
    relay.close();
  }
}
