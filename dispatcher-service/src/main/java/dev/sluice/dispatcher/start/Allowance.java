package dev.sluice.dispatcher.start;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many items may be claimed and not started: as many as go within a second, between the least
 * that is set and four times that. What a claim costs is the look at a workspace, so that a few of
 * its items at a time are cheaper than one by one; but when Temporal is slow, what is claimed early
 * only gets old. Guarded by its owner's lock.
 */
public final class Allowance {
  private static final int TIMES = 4;

  /** A burst is recognised within a quarter of a second. */
  private static final int WINDOWS_A_SECOND = 4;

  private static final long WINDOW = Duration.ofSeconds(1).toNanos() / WINDOWS_A_SECOND;

  private final int least;
  private final LongSupplier nanoTime;
  private long since;
  private int started;
  private int startedBefore;

  public Allowance(int least, LongSupplier nanoTime) {
    this.least = least;
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
  }

  public void started() {
    turn();
    started++;
  }

  public int most() {
    return atMost(perSecond());
  }

  /**
   * How many of these may be there out of turn: no more than go within a fifth of a second, or the
   * least. So long, and no longer, somebody may have to wait for those who came before him whatever
   * his weight.
   */
  public int mostOutOfTurn() {
    return atMost(perSecond() / 5);
  }

  private long perSecond() {
    turn();
    return (long) Math.max(started, startedBefore) * WINDOWS_A_SECOND;
  }

  private int atMost(long wanted) {
    return (int) Math.clamp(wanted, least, (long) least * TIMES);
  }

  /**
   * How many more somebody may have who has so many already, and a part of the least. None before
   * half of what he may have is free: with few workspaces in line each start that comes back would
   * else be followed by a claim of one.
   */
  public int roomFor(int part, int claimed) {
    int most = shareOf(part);
    return claimed > most / 2 ? 0 : most - claimed;
  }

  /** Of what is somebody's part of the least: as many times as much as there is of all. */
  int shareOf(int part) {
    return (int) ((long) part * most() / least);
  }

  private void turn() {
    long now = nanoTime.getAsLong();
    long passed = (now - since) / WINDOW;
    if (passed > 0) {
      startedBefore = passed == 1 ? started : 0;
      started = 0;
      since = now;
    }
  }
}
