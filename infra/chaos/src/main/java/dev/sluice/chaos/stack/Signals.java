package dev.sluice.chaos.stack;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java cannot send itself. */
final class Signals {
  private Signals() {}

  static void send(String signal, long pid) {
    try {
      int exit = new ProcessBuilder("kill", "-s", signal, Long.toString(pid)).start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException("kill -s %s %d: exit %d".formatted(signal, pid, exit));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending " + signal, e);
    }
  }
}
