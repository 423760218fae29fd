package dev.sluice.recovery.relay;

import dev.sluice.operate.Check;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the outbox is relayed.
 *
 * @param slot name of the replication slot; slots are the server's, so two Sluice databases on one
 *     server need two names
 * @param publication name of the publication
 * @param pollInterval how long the stream waits when there is nothing to read
 * @param heartbeat how often a message of our own moves the slot on while nothing else happens
 * @param positionInterval how often the position is written down; what came after is told twice
 *     after a crash
 * @param replayMargin how long before the last known commit a replay starts, because an event's
 *     time is its transaction's start
 * @param restartPause how long a stream that ended is left alone before it is started again
 */
@ConfigurationProperties("sluice.recovery.relay")
public record RelaySettings(
    @DefaultValue("sluice_outbox") String slot,
    @DefaultValue("sluice_outbox") String publication,
    @DefaultValue("PT0.01S") Duration pollInterval,
    @DefaultValue("PT2S") Duration heartbeat,
    @DefaultValue("PT0.5S") Duration positionInterval,
    @DefaultValue("PT2M") Duration replayMargin,
    @DefaultValue("PT1S") Duration restartPause) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9_]{1,63}");

  public RelaySettings {
    name("sluice.recovery.relay.slot", slot);
    name("sluice.recovery.relay.publication", publication);
    Duration least = Duration.ofMillis(1);
    Check.atLeast("sluice.recovery.relay.poll-interval", pollInterval, least, "10ms");
    Check.atLeast("sluice.recovery.relay.heartbeat", heartbeat, least, "2s");
    Check.atLeast("sluice.recovery.relay.position-interval", positionInterval, least, "500ms");
    Check.atLeast("sluice.recovery.relay.replay-margin", replayMargin, least, "2m");
    Check.atLeast("sluice.recovery.relay.restart-pause", restartPause, least, "1s");
  }

  private static void name(String setting, String value) {
    Check.that(
        NAME.matcher(value).matches(),
        setting,
        value,
        "of small letters, digits and _",
        "sluice_outbox");
  }
}
