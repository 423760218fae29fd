package dev.sluice.dispatcher.simulator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** A simulation would log thousands of outages; none of them is news. */
final class QuietLogs implements AutoCloseable {
  private final Logger log = (Logger) LoggerFactory.getLogger("dev.sluice.dispatcher");
  private final Level before = log.getLevel();

  QuietLogs() {
    log.setLevel(Level.OFF);
  }

  @Override
  public void close() {
    log.setLevel(before);
  }
}
