package dev.sluice.dispatcher.wake;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Sleeps until something is due, or until an item comes in that may be due earlier. */
public final class WakerLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WakerLoop.class);
  private static final Duration AT_LEAST_EVERY = Duration.ofSeconds(5);

  private final Waker waker;
  private final Thread thread;
  private final Object news = new Object();
  private boolean hasNews;

  public WakerLoop(Waker waker) {
    this.waker = waker;
    this.thread = Thread.ofPlatform().name("sluice-waker").daemon().unstarted(this::loop);
  }

  public void start() {
    thread.start();
  }

  /** A delayed or expiring item came in. */
  public void recheck() {
    synchronized (news) {
      hasNews = true;
      news.notifyAll();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void loop() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        if (!waker.runOnce().isFull()) {
          await(waker.untilNext(AT_LEAST_EVERY));
        }
      } catch (DataAccessException | TransactionException e) {
        log.atWarn().setCause(e).log("PostgreSQL does not answer; what is due waits");
        await(Duration.ofSeconds(1));
      }
    }
  }

  private void await(Duration longest) {
    synchronized (news) {
      try {
        long until = System.nanoTime() + longest.toNanos();
        long left;
        while (!hasNews && (left = until - System.nanoTime()) > 0) {
          news.wait(Math.max(1, Duration.ofNanos(left).toMillis()));
        }
        hasNews = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
