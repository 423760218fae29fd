package dev.sluice.recovery.job;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one thing again and again on a thread of its own until it is closed. */
public final class Loop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Loop.class);
  private static final Duration ROUND_ENDS_WITHIN = Duration.ofSeconds(1);
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

  /** One round. May fail: the next round comes all the same. */
  @FunctionalInterface
  public interface Round {
    void run() throws Exception;
  }

  private final String name;
  private final Duration pause;
  private final Round round;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;

  private Loop(String name, Duration pause, Round round) {
    this.name = name;
    this.pause = pause;
    this.round = round;
    this.thread = Thread.ofVirtual().name("recovery-" + name).unstarted(this::run);
  }

  public static Loop start(String name, Duration pause, Round round) {
    var loop = new Loop(name, pause, round);
    loop.thread.start();
    return loop;
  }

  private void run() {
    try {
      do {
        runRound();
      } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void runRound() throws InterruptedException {
    try {
      round.run();
    } catch (InterruptedException stopped) {
      throw stopped;
    } catch (Exception e) {
      if (stopping.getCount() > 0) {
        log.atWarn().addKeyValue("loop", name).setCause(e).log("round failed, will try again");
      }
    }
  }

  /** No further round begins. */
  public void stop() {
    stopping.countDown();
  }

  /** Lets the round in progress come to its end, for a while. */
  @Override
  public void close() throws InterruptedException {
    stop();
    if (thread.join(ROUND_ENDS_WITHIN)) {
      return;
    }
    thread.interrupt();
    if (!thread.join(STOPS_WITHIN)) {
      log.atWarn().addKeyValue("loop", name).log("round did not end in time");
    }
  }
}
