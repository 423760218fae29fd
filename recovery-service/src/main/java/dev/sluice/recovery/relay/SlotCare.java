package dev.sluice.recovery.relay;

import dev.sluice.recovery.relay.RelayLedger.Slot;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the replication slot and the publication. What was committed while one of them was
 * missing is not in the stream: it is noted as a replay we owe <em>before</em> they are made again,
 * so that a crash in between forgets nothing.
 */
final class SlotCare {
  private static final Logger log = LoggerFactory.getLogger(SlotCare.class);

  /** What can be wrong before a stream starts. */
  enum Trouble {
    FIRST_START("first-start"),
    SLOT_MISSING("slot-missing"),
    SLOT_INVALIDATED("slot-invalidated"),
    SLOT_MOVED("slot-moved"),
    PUBLICATION_MISSING("publication-missing"),
    PUBLICATION_TOO_YOUNG("publication-too-young");

    private final String code;

    Trouble(String code) {
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  private final RelayLedger ledger;
  private final RelaySettings settings;
  private final RelayMetrics metrics;

  SlotCare(RelayLedger ledger, RelaySettings settings, RelayMetrics metrics) {
    this.ledger = ledger;
    this.settings = settings;
    this.metrics = metrics;
  }

  /** Says what was wrong; afterwards slot and publication are there. */
  Optional<Trouble> mend() {
    Optional<Trouble> trouble = look();
    trouble.ifPresent(this::remake);
    return trouble;
  }

  private Optional<Trouble> look() {
    Optional<Slot> slot = ledger.slot(settings.slot());
    if (slot.isPresent() && !slot.get().ours()) {
      throw new IllegalStateException(
          "replication slot %s belongs to another database of this server: set sluice.recovery.relay.slot to a name of its own"
              .formatted(settings.slot()));
    }
    if (ledger.state().relayedLsn() == null) {
      return Optional.of(Trouble.FIRST_START);
    }
    if (slot.isEmpty()) {
      return Optional.of(Trouble.SLOT_MISSING);
    }
    if (slot.get().lost()) {
      return Optional.of(Trouble.SLOT_INVALIDATED);
    }
    if (!ledger.hasPublication(settings.publication())) {
      return Optional.of(Trouble.PUBLICATION_MISSING);
    }
    return slot.get().ahead() ? Optional.of(Trouble.SLOT_MOVED) : Optional.empty();
  }

  /**
   * The slot always goes with the publication: the server reads its log with the catalogue of that
   * time, in which a publication made later does not exist.
   */
  void remake(Trouble trouble) {
    alarm(trouble);
    ledger.oweReplay(trouble.code(), settings.replayMargin());
    if (ledger.slot(settings.slot()).isPresent() && !ledger.dropSlot(settings.slot())) {
      throw new IllegalStateException(
          "replication slot %s is in use by another process".formatted(settings.slot()));
    }
    if (!ledger.hasPublication(settings.publication())) {
      ledger.makePublication(settings.publication());
    }
    ledger.makeSlot(settings.slot());
    metrics.slotMade(trouble.code());
  }

  private void alarm(Trouble trouble) {
    boolean firstStart = trouble == Trouble.FIRST_START;
    (firstStart ? log.atInfo() : log.atError().addKeyValue("alarm", "replication-slot"))
        .addKeyValue("slot", settings.slot())
        .addKeyValue("publication", settings.publication())
        .addKeyValue("reason", trouble.code())
        .log(
            "making replication slot and publication; what the stream missed is told from the"
                + " tables");
  }

  /** Said once at the start: what on this server may hurt later. */
  void checkServer() {
    var server = ledger.serverSettings();
    if (!server.walLevel().equals("logical")) {
      throw new IllegalStateException(
          "PostgreSQL's wal_level is %s: set wal_level = logical and restart it"
              .formatted(server.walLevel()));
    }
    if (server.keepSize().equals("-1")) {
      log.atWarn()
          .addKeyValue("alarm", "wal-not-bounded")
          .log(
              "max_slot_wal_keep_size is not set: while no recovery-service runs, PostgreSQL keeps"
                  + " all of its log; set it, for example to 10GB");
    }
  }
}
