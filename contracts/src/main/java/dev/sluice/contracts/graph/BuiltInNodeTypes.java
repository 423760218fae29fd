package dev.sluice.contracts.graph;

import java.time.Duration;
import java.util.Set;

/** The node types every worker has, and what their config must be. */
public final class BuiltInNodeTypes {
  /** Waits, without holding a thread: {@code {"duration":"PT1S"}}. */
  public static final String SLEEP = "sleep";

  /** Puts out what it is given: {@code {"values":{…}}}. */
  public static final String SET = "set";

  /**
   * Fails: {@code {"message":"…"}}; with {@code "times": n} only on its first n tries, which shows
   * what the retry settings do.
   */
  public static final String FAIL = "fail";

  public static final Set<String> NAMES = Set.of(SLEEP, SET, FAIL);

  public static final Duration LONGEST_SLEEP = Duration.ofDays(30);

  private BuiltInNodeTypes() {}
}
