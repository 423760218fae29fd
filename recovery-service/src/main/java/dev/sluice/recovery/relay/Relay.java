package dev.sluice.recovery.relay;

import dev.sluice.recovery.relay.SlotCare.Trouble;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one outbox stream running for as long as this instance leads, and none otherwise. */
public final class Relay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /** What a round found and did. */
  public enum Round {
    STANDING_BY,
    STOPPED,
    STARTED,
    STREAMING,
    WAITING
  }

  private final RelaySettings settings;
  private final RelayLedger ledger;
  private final SlotCare slotCare;
  private final Replay replay;
  private final RelayMetrics metrics;
  private final Map<String, Object> kafka;
  private final Properties database;
  private final BooleanSupplier leads;
  private final Consumer<OutboxEvent> follower;
  private volatile @Nullable Run run;
  private volatile @Nullable EventPublisher replaying;
  private long notBefore = System.nanoTime();

  /** One stream with what belongs to it. */
  private record Run(OutboxStream stream, RelayHandler handler, EventPublisher publisher) {}

  Relay(RelayParts parts, BooleanSupplier leads, Consumer<OutboxEvent> follower) {
    this.settings = parts.settings();
    this.ledger = parts.ledger();
    this.slotCare = new SlotCare(ledger, settings, parts.metrics());
    this.replay = parts.replay();
    this.metrics = parts.metrics();
    this.kafka = parts.kafka();
    this.database = parts.database();
    this.leads = leads;
    this.follower = follower;
  }

  public synchronized Round runOnce() throws InterruptedException {
    Run current = run;
    if (!leads.getAsBoolean()) {
      return current == null ? Round.STANDING_BY : stop(current);
    }
    if (current != null && current.stream().isRunning()) {
      return Round.STREAMING;
    }
    if (current != null) {
      ended(current);
    }
    if (System.nanoTime() - notBefore < 0) {
      return Round.WAITING;
    }
    notBefore = System.nanoTime() + settings.restartPause().toNanos();
    start();
    return Round.STARTED;
  }

  private void start() {
    slotCare.checkServer();
    slotCare.mend();
    var publisher = new EventPublisher(kafka);
    try {
      payReplay(publisher);
    } catch (RuntimeException e) {
      publisher.close();
      throw e;
    }
    var handler =
        new RelayHandler(publisher, ledger, metrics, follower, settings.positionInterval());
    var stream = OutboxStream.start(database, handler, handler::mayConfirm);
    run = new Run(stream, handler, publisher);
    log.atInfo().addKeyValue("slot", settings.slot()).log("outbox stream starting");
  }

  private void payReplay(EventPublisher publisher) {
    var owed = ledger.state();
    if (owed.replaySince() == null) {
      return;
    }
    Instant until = ledger.now();
    replaying = publisher;
    try {
      int told = replay.run(owed.replaySince(), publisher);
      ledger.replayDone(owed.replaySince(), until);
      log.atInfo()
          .addKeyValue("events", told)
          .addKeyValue("reason", owed.replayReason())
          .log("replayed from the tables what the stream may have missed");
    } finally {
      replaying = null;
    }
  }

  private void ended(Run ended) throws InterruptedException {
    Throwable failure = ended.stream().failure().orElse(null);
    log.atWarn().setCause(failure).log("outbox stream ended, starting it again");
    metrics.streamEnded();
    stop(ended);
    if (failure != null && publicationIsTooYoung(failure)) {
      slotCare.remake(Trouble.PUBLICATION_TOO_YOUNG);
    }
  }

  /** See {@link SlotCare#remake}: this slot would fail at the same place for ever. */
  private static boolean publicationIsTooYoung(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PSQLException
          && String.valueOf(cause.getMessage())
              .matches("(?s).*publication \".*\" does not exist.*")) {
        return true;
      }
    }
    return false;
  }

  private Round stop(Run stopping) throws InterruptedException {
    stopping.publisher().abandon();
    stopping.stream().close();
    stopping.publisher().close();
    run = null;
    writeLastPosition(stopping.handler());
    return Round.STOPPED;
  }

  /** The engine confirms its last position when it is closed: ours must not be behind it. */
  private void writeLastPosition(RelayHandler handler) {
    Position last = handler.last();
    if (last == null) {
      return;
    }
    try {
      ledger.recordPosition(last);
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("last position not written, a replay will say more than needed");
    }
  }

  public boolean isStreaming() {
    Run current = run;
    return current != null && current.stream().isStreaming();
  }

  /** Ends a wait for Kafka, so that the round in progress comes to its end. */
  public void stopWaiting() {
    var publisher = replaying;
    if (publisher != null) {
      publisher.abandon();
    }
  }

  @Override
  public synchronized void close() throws InterruptedException {
    Run current = run;
    if (current != null) {
      stop(current);
    }
  }
}
