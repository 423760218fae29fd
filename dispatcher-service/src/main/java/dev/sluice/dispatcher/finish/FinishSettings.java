package dev.sluice.dispatcher.finish;

import dev.sluice.operate.Check;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How closed workflows are noticed.
 *
 * @param longPolls how many open workflows are listened to at the same time; a Temporal namespace
 *     takes 1,200 from all its clients together by default. With 0 only callbacks, signals and
 *     recovery-service tell that a workflow has closed
 * @param pollTimeout how long one of these polls lasts before the next workflow gets a turn
 * @param crowdedPollTimeout the same, while more workflows are open than can be listened to
 * @param pauseAfterFailure before a workflow is listened to again when Temporal did not answer
 */
@ConfigurationProperties("sluice.finish")
public record FinishSettings(
    @DefaultValue("200") int longPolls,
    @DefaultValue("20s") Duration pollTimeout,
    @DefaultValue("2s") Duration crowdedPollTimeout,
    @DefaultValue("1s") Duration pauseAfterFailure) {

  public FinishSettings {
    Check.atLeast("sluice.finish.long-polls", longPolls, 0, "200");
    Check.positive("sluice.finish.poll-timeout", pollTimeout, "20s");
    Check.positive("sluice.finish.crowded-poll-timeout", crowdedPollTimeout, "2s");
    Check.positive("sluice.finish.pause-after-failure", pauseAfterFailure, "1s");
  }
}
