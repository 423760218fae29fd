package dev.sluice.ingest.lag;

import dev.sluice.ingest.publish.KafkaAway;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The lag as metrics, asked for in the background so that a scrape never waits for the broker. */
@Component
class LagMetrics implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(LagMetrics.class);

  private final Lag lag;
  private final EndToEnd endToEnd;
  private final TopWorkspaces topWorkspaces;
  private final LagSettings settings;
  private final MultiGauge records;
  private final MultiGauge seconds;
  private volatile double endToEndSeconds = Double.NaN;
  private volatile boolean running;
  private Thread thread = Thread.ofVirtual().unstarted(() -> {});

  LagMetrics(
      Lag lag,
      EndToEnd endToEnd,
      TopWorkspaces topWorkspaces,
      LagSettings settings,
      MeterRegistry registry) {
    this.topWorkspaces = topWorkspaces;
    this.lag = lag;
    this.endToEnd = endToEnd;
    this.settings = settings;
    this.records =
        MultiGauge.builder("sluice.consumer.lag.records")
            .description("records that the group has not consumed, as the broker tells it")
            .register(registry);
    this.seconds =
        MultiGauge.builder("sluice.consumer.lag.seconds")
            .description("age of the oldest record that the group has not consumed")
            .register(registry);
    Gauge.builder("sluice.end.to.end.lag", () -> endToEndSeconds)
        .baseUnit("seconds")
        .description("age of the oldest request that is not started although it could be")
        .register(registry);
  }

  /** What is not known is not there, so that nobody takes an old figure for a new one. */
  void runOnce() {
    try {
      LagReport report = lag.recent();
      records.register(report.groups().stream().map(p -> Row.of(tags(p), p.lag())).toList(), true);
      seconds.register(
          report.groups().stream()
              .filter(p -> p.lagSeconds() != null)
              .map(p -> Row.of(tags(p), Objects.requireNonNull(p.lagSeconds())))
              .toList(),
          true);
      endToEndSeconds = endToEnd.seconds(report).orElse(Double.NaN);
    } catch (KafkaAway e) {
      records.register(List.<Row<?>>of(), true);
      seconds.register(List.<Row<?>>of(), true);
      endToEndSeconds = Double.NaN;
    }
  }

  private static Tags tags(PartitionLag partition) {
    return Tags.of(
        "group", partition.group(),
        "topic", partition.topic(),
        "partition", Integer.toString(partition.partition()));
  }

  @Override
  public void start() {
    running = true;
    thread = Thread.ofVirtual().name("sluice-lag").start(this::loop);
  }

  private void loop() {
    while (running) {
      measure();
      try {
        Thread.sleep(settings.every());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void measure() {
    try {
      runOnce();
      topWorkspaces.runOnce();
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("lag could not be measured, trying on");
    }
  }

  @Override
  public void stop() {
    running = false;
    thread.interrupt();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
