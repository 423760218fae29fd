package dev.sluice.recovery.retention;

import dev.sluice.recovery.retention.TemporalRetention.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets rows leave that are over for long, in small steps. */
public final class Retention {
  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  private final RetentionLedger ledger;
  private final Supplier<Answer> temporalKeeps;
  private final RetentionSettings settings;
  private final Counter removed;

  Retention(
      RetentionLedger ledger,
      Supplier<Answer> temporalKeeps,
      RetentionSettings settings,
      MeterRegistry meters) {
    this.ledger = ledger;
    this.temporalKeeps = temporalKeeps;
    this.settings = settings;
    this.removed =
        Counter.builder("sluice.retention.rows.removed")
            .description("rows that left after their time")
            .register(meters);
  }

  /** Returns how many rows left. */
  public int runOnce() throws InterruptedException {
    if (!outlivesTemporal()) {
      return 0;
    }
    int closed = inSteps(ledger::removeClosed, settings.perRound());
    int ended = inSteps(ledger::removeEnded, settings.perRound() - closed);
    int all = closed + ended;
    if (all > 0) {
      removed.increment(all);
      log.atInfo().addKeyValue("rows", all).log("removed what was over for longer than is kept");
    }
    return all;
  }

  /**
   * A row that leaves takes its id with it. Would Temporal still refuse that id, the same request
   * sent again could never run, and nobody would see why.
   */
  private boolean outlivesTemporal() {
    return switch (temporalKeeps.get()) {
      case Answer.None() -> true;
      case Answer.Unreachable(String why) -> {
        log.atInfo().addKeyValue("why", why).log("Temporal does not answer, nothing is removed");
        yield false;
      }
      case Answer.Known(Duration keeps) -> {
        boolean longer = settings.keep().compareTo(keeps) >= 0;
        if (!longer) {
          log.atError()
              .addKeyValue("alarm", "retention-too-short")
              .addKeyValue("sluice.recovery.retention.keep", settings.keep())
              .addKeyValue("temporalKeeps", keeps)
              .log(
                  "nothing is removed: rows must be kept at least as long as Temporal keeps"
                      + " workflows");
        }
        yield longer;
      }
    };
  }

  private int inSteps(BiFunction<Duration, Integer, Integer> step, int most)
      throws InterruptedException {
    int sum = 0;
    while (sum < most) {
      int batch = Math.min(settings.batch(), most - sum);
      int gone = step.apply(settings.keep(), batch);
      sum += gone;
      if (gone < batch) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(settings.pause().toMillis());
    }
    return sum;
  }
}
