package dev.sluice.recovery.relay;

import dev.sluice.recovery.relay.EventPublisher.Answer;
import dev.sluice.recovery.relay.OutboxReader.Reading;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of the stream becomes events on the topic; only then is it marked as read. What cannot be
 * an event is set aside, so that it never stops its neighbours.
 */
final class RelayHandler implements ChangeConsumer<RecordChangeEvent<SourceRecord>> {
  private static final Logger log = LoggerFactory.getLogger(RelayHandler.class);

  static final String OUTBOX = "sluice.outbox";
  static final String HEARTBEAT = "sluice.heartbeat";

  private final EventPublisher publisher;
  private final RelayLedger ledger;
  private final RelayMetrics metrics;
  private final Consumer<OutboxEvent> follower;
  private final Duration positionInterval;
  private long positionDue = System.nanoTime();
  private volatile boolean positionWritten;
  private volatile @Nullable Position last;

  RelayHandler(
      EventPublisher publisher,
      RelayLedger ledger,
      RelayMetrics metrics,
      Consumer<OutboxEvent> follower,
      Duration positionInterval) {
    this.publisher = publisher;
    this.ledger = ledger;
    this.metrics = metrics;
    this.follower = follower;
    this.positionInterval = positionInterval;
  }

  private record InFlight(
      OutboxEvent event, SourceRecord message, byte[] content, Future<RecordMetadata> sent) {}

  @Override
  public void handleBatch(
      List<RecordChangeEvent<SourceRecord>> batch,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    var inFlight = new ArrayList<InFlight>(batch.size());
    for (var change : batch) {
      if (change.record().value() instanceof Struct value
          && value.schema().field("message") != null) {
        publish(change.record(), value.getStruct("message"), inFlight);
      }
    }
    for (var one : inFlight) {
      settle(one);
    }
    var end = batch.getLast();
    advance(Position.of(end.record()), inFlight.size());
    committer.markProcessed(end);
    committer.markBatchFinished();
  }

  private void publish(SourceRecord message, Struct body, List<InFlight> inFlight)
      throws InterruptedException {
    if (!OUTBOX.equals(body.getString("prefix"))) {
      return;
    }
    byte[] content = bytes(body.get("content"));
    switch (OutboxReader.read(content)) {
      case Reading.Readable(OutboxEvent event) ->
          inFlight.add(new InFlight(event, message, content, publisher.send(event.toRecord())));
      case Reading.Unreadable(String reason, String detail) ->
          setAside(message, reason, detail, content);
    }
  }

  private void settle(InFlight one) throws InterruptedException {
    switch (publisher.await(one.sent())) {
      case Answer.Acknowledged() -> follower.accept(one.event());
      case Answer.Refused(String detail) ->
          setAside(one.message(), "refused-by-broker", detail, one.content());
    }
  }

  private void setAside(SourceRecord message, String reason, String detail, byte[] content) {
    String lsn = message.sourceOffset().get("lsn") instanceof Long at ? Position.text(at) : "0/0";
    if (ledger.setAside(lsn, reason, detail, content)) {
      metrics.setAside(reason);
      log.atError()
          .addKeyValue("alarm", "outbox-set-aside")
          .addKeyValue("lsn", lsn)
          .addKeyValue("reason", reason)
          .addKeyValue("detail", detail)
          .log(
              "an outbox message cannot be an event: it is in outbox_set_aside, the stream goes"
                  + " on");
    }
  }

  private void advance(Position position, int events) {
    if (events > 0) {
      metrics.relayed(events, position.committedAt());
    } else {
      metrics.relayLag(Duration.ZERO);
    }
    last = position;
    if (System.nanoTime() - positionDue >= 0) {
      ledger.recordPosition(position);
      positionWritten = true;
      positionDue = System.nanoTime() + positionInterval.toNanos();
    }
  }

  /** The server is told to forget only what we wrote down first, see {@link SlotCare}. */
  boolean mayConfirm() {
    boolean written = positionWritten;
    positionWritten = false;
    return written;
  }

  @Nullable Position last() {
    return last;
  }

  private static byte[] bytes(Object content) {
    if (content instanceof ByteBuffer buffer) {
      byte[] copy = new byte[buffer.remaining()];
      buffer.duplicate().get(copy);
      return copy;
    }
    return (byte[]) content;
  }
}
