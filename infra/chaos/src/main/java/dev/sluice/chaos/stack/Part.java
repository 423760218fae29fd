package dev.sluice.chaos.stack;

import java.time.Duration;

/** A process that can be broken: a server or a service. */
public interface Part {
  String name();

  /** Starts it on the same data and port as before; returns when it answers. */
  void start();

  /** Starts it; {@link #awaitReady} tells when it answers. */
  void launch();

  void awaitReady(Duration longest);

  boolean isReady();

  /** SIGTERM, and waits until it is gone. */
  void stop();

  /** SIGKILL. */
  void kill();

  /** SIGSTOP: it holds its connections and does nothing. */
  void freeze();

  /** SIGCONT. */
  void thaw();
}
