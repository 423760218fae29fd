package dev.sluice.operate;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** A server that does not answer. */
final class Away {
  /** Told, and counted neither for nor against being ready. */
  private static final Status AWAY = new Status("AWAY");

  private Away() {}

  /** The service can do nothing without it. */
  static Health stops(String server) {
    return Health.down().withDetail("reason", server + " away").build();
  }

  /** The service does its part all the same. */
  static Health isTold(String server) {
    return Health.status(AWAY).withDetail("reason", server + " away").build();
  }
}
