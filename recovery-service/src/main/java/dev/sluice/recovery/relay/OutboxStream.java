package dev.sluice.recovery.relay;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the Debezium engine, from its start to its end. */
final class OutboxStream implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OutboxStream.class);
  private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);

  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread thread;
  private final CountDownLatch polling = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;

  private OutboxStream(
      Properties config,
      ChangeConsumer<RecordChangeEvent<SourceRecord>> handler,
      BooleanSupplier mayConfirm) {
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(config)
            .using((records, since) -> mayConfirm.getAsBoolean())
            .using(new Progress())
            .using((success, message, error) -> end(success, message, error))
            .notifying(handler)
            .build();
    this.thread = Thread.ofPlatform().name("outbox-stream").daemon().unstarted(this::run);
  }

  static OutboxStream start(
      Properties config,
      ChangeConsumer<RecordChangeEvent<SourceRecord>> handler,
      BooleanSupplier mayConfirm) {
    var stream = new OutboxStream(config, handler, mayConfirm);
    stream.thread.start();
    return stream;
  }

  private final class Progress implements DebeziumEngine.ConnectorCallback {
    @Override
    public void pollingStarted() {
      polling.countDown();
    }
  }

  private void run() {
    try {
      engine.run();
    } finally {
      // The engine does not call back in every case in which it ends.
      polling.countDown();
      ended.countDown();
    }
  }

  private void end(boolean success, String message, @Nullable Throwable error) {
    if (!success) {
      failure = error != null ? error : new IllegalStateException(message);
    }
  }

  boolean isRunning() {
    return ended.getCount() > 0;
  }

  boolean isStreaming() {
    return isRunning() && polling.getCount() == 0;
  }

  /** Why it ended by itself. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void close() throws InterruptedException {
    // The engine refuses to be closed while it starts.
    if (!polling.await(STARTS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      log.atWarn().log("the outbox stream neither started nor ended in time");
    }
    try {
      engine.close();
    } catch (IllegalStateException | IOException endedByItself) {
      log.atDebug().setCause(endedByItself).log("the outbox stream was ending already");
    }
    if (!ended.await(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      log.atWarn().log("the outbox stream did not end in time, interrupted");
      thread.interrupt();
    }
  }
}
