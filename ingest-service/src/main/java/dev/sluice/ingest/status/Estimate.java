package dev.sluice.ingest.status;

import dev.sluice.ingest.flow.FlowState;
import dev.sluice.ingest.flow.WaitingFor;
import dev.sluice.ingest.status.Execution.EstimatedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When an item that is ready will start, if everything goes on as it did lately. Nothing is said of
 * what a person or an outage holds back: nobody knows when that ends.
 */
final class Estimate {
  /** How many executions are looked at to see how long they take. */
  static final int SAMPLE = 50;

  private static final Set<String> ENDS_BY_ITSELF =
      Set.of(WaitingFor.CAPACITY, WaitingFor.START_RATE, WaitingFor.GLOBAL_LIMIT);

  /** What is further away than this is not worth a number. */
  private static final double FARTHEST_SECONDS = Duration.ofDays(3650).toSeconds();

  private static final double MILLIS = 1000;

  private Estimate() {}

  /**
   * How long the last executions of a workspace took.
   *
   * @param mean in seconds
   */
  record Recent(int number, double mean) {}

  static boolean isPossible(WaitingFor why) {
    return ENDS_BY_ITSELF.contains(why.kind());
  }

  static Optional<EstimatedStart> of(ItemRow item, long position, FlowState flow, Recent recent) {
    int slots =
        flow.globalCap() == null ? flow.slots() : Math.min(flow.slots(), flow.globalCap().limit());
    double seconds =
        Math.max(recent.mean() * position / slots, secondsByRate(position, flow.rate()));
    // No slots at all is infinitely far away.
    if (!(seconds <= FARTHEST_SECONDS)) {
      return Optional.empty();
    }
    Instant at = flow.now().plusMillis(Math.round(seconds * MILLIS));
    Instant notBefore = item.asked().notBefore();
    return Optional.of(
        new EstimatedStart(
            notBefore != null && notBefore.isAfter(at) ? notBefore : at,
            basis(position, slots, flow, recent)));
  }

  private static double secondsByRate(long position, FlowState.@Nullable Rate rate) {
    return rate == null ? 0 : position / rate.startsPerSecond();
  }

  private static String basis(long position, int slots, FlowState flow, Recent recent) {
    String rate =
        flow.rate() == null
            ? ""
            : ", %s starts per second".formatted(FlowState.number(flow.rate().startsPerSecond()));
    return String.format(
        Locale.ROOT,
        "mean of the last %d executions is %.1f s, %d slots, position %d%s",
        recent.number(),
        recent.mean(),
        slots,
        position,
        rate);
  }
}
