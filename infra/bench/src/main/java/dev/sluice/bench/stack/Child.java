package dev.sluice.bench.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that we started, with its output in a file. It ends when we do. */
final class Child implements AutoCloseable {
  private static final int STOP_SECONDS = 60;

  private final Process process;
  private final Thread stop = new Thread(this::stop, "bench-child-stop");

  Child(ProcessBuilder builder, Path log) throws IOException {
    process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(stop); // a Ctrl-C here must not leave it running
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Asks it to stop; {@link #close} waits until it has. */
  void terminate() {
    process.destroy();
  }

  @Override
  public void close() {
    stop();
    Runtime.getRuntime().removeShutdownHook(stop);
  }

  private void stop() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
