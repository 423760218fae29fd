package dev.sluice.dispatcher.settle;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long an item that Temporal refused waits: twice as long each time, spread by up to a fifth.
 */
record Backoff(Duration first, Duration longest) {
  Duration after(int attempts) {
    long doubled = first.toMillis() << Math.min(attempts - 1, 20);
    long capped = Math.min(doubled, longest.toMillis());
    return Duration.ofMillis(capped + ThreadLocalRandom.current().nextLong(capped / 5 + 1));
  }
}
