package dev.sluice.bench.model;

/**
 * Seconds of a processor, and seconds after that in which nothing of this machine is needed: a
 * disk, a timer, an answer.
 */
public record Work(double cpu, double idle) {
  public static final Work NONE = new Work(0, 0);
}
