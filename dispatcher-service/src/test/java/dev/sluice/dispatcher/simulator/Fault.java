package dev.sluice.dispatcher.simulator;

/** What may go wrong. Each seed draws some of them, so that rare ones meet in many combinations. */
enum Fault {
  /** The process dies at any statement, commit or start. */
  CRASH,
  /** Not scheduled for a while, then goes on with its old memory. */
  FREEZE,
  /** A partition moves, and its old owner is told. */
  REBALANCE,
  /** A partition moves, and its old owner goes on as if it had not. */
  ZOMBIE,
  /** Deadline exceeded, whether or not the start was applied, or will be. */
  UNKNOWN,
  /** Unavailable, resource exhausted. */
  OUTAGE,
  /** The same request, again and again. */
  DUPLICATE,
  CANCEL,
  LIMIT_CHANGE,
  /** Completion notices that are early, late, repeated or wrong. */
  NOTICE,
  /** Redrives of claims that are not stuck at all. */
  REDRIVE,
  /** PostgreSQL's connection breaks, before or after a statement or commit went through. */
  DATABASE,
  /** Two admissions at the same instant. */
  OVERLAP,
  /** Partition keys, definition limits, delays, expiries, refusals. */
  SPECIAL_ITEMS,
  /** A rolling restart. */
  STOP,
  LOST_SIGNAL,
  /** The takeover runs between an admission's commit and the handing over of its claims. */
  RACE,
  RETRY_BY_HAND
}
