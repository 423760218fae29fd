package dev.sluice.chaos.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A child process with its output in a file. */
class ProcessPart implements Part {
  private static final Duration START = Duration.ofSeconds(120);
  private static final Duration STOP = Duration.ofSeconds(60);

  private final String name;
  private final List<String> command;
  private final Path log;
  private final BooleanSupplier ready;
  private @Nullable Process process;

  ProcessPart(String name, List<String> command, Path log, BooleanSupplier ready) {
    this.name = name;
    this.command = command;
    this.log = log;
    this.ready = ready;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() {
    launch();
    awaitReady(START);
  }

  @Override
  public synchronized void launch() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException(name + " is running");
    }
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(Stack.GIVEN_SERVERS::contains);
    try {
      process = builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void awaitReady(Duration longest) {
    Await.until(name + " is ready", longest, () -> !running().isAlive() || isReady());
    if (!running().isAlive()) {
      throw new IllegalStateException("%s ended by itself; %s says why".formatted(name, log));
    }
  }

  @Override
  public boolean isReady() {
    return ready.getAsBoolean();
  }

  @Override
  public void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroy();
    try {
      if (!running.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void kill() {
    try {
      running().destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void freeze() {
    Signals.send("STOP", running().pid());
  }

  @Override
  public void thaw() {
    Signals.send("CONT", running().pid());
  }

  private synchronized Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process;
  }
}
