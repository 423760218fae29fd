package dev.sluice.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * A server process that outlived the JVM that started it. Its number was written down; as numbers
 * are used again by the system, the process must also look like the one we started.
 */
record OrphanProcess(ProcessHandle process) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  static Optional<OrphanProcess> find(long pid, Predicate<ProcessHandle.Info> looksLikeOurs) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> looksLikeOurs.test(process.info()))
        .map(OrphanProcess::new);
  }

  /** Asks with the given signal and waits; a process that does not listen is ended by force. */
  void stop(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    if (!endedWithin(PATIENCE)) {
      process.destroyForcibly();
      if (!endedWithin(PATIENCE)) {
        throw new CannotStart(
            "Process %d of an earlier run does not end; end it by hand and start again."
                .formatted(process.pid()));
      }
    }
  }

  private boolean endedWithin(Duration patience) throws InterruptedException {
    try {
      process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
