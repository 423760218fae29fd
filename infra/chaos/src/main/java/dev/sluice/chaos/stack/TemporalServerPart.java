package dev.sluice.chaos.stack;

import dev.sluice.servers.LocalTemporal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The real server, a process of the temporal CLI. */
final class TemporalServerPart implements Part {
  private final Path cli;
  private final Path file;
  private final int port;
  private volatile @Nullable LocalTemporal server;

  TemporalServerPart(Path cli, Path file, int port) {
    this.cli = cli;
    this.file = file;
    this.port = port;
  }

  @Override
  public String name() {
    return "temporal";
  }

  @Override
  public void start() {
    server = LocalTemporal.server(cli, file, port);
  }

  @Override
  public void launch() {
    start();
  }

  @Override
  public void awaitReady(Duration longest) {
    Await.until("temporal is ready", longest, this::isReady);
  }

  @Override
  public boolean isReady() {
    return server != null;
  }

  @Override
  public void stop() {
    LocalTemporal running = server;
    server = null;
    if (running != null) {
      running.close();
    }
  }

  @Override
  public void kill() {
    Signals.send("KILL", pid());
    stop();
  }

  @Override
  public void freeze() {
    Signals.send("STOP", pid());
  }

  @Override
  public void thaw() {
    Signals.send("CONT", pid());
  }

  private long pid() {
    try {
      return Long.parseLong(
          Files.readString(file.resolveSibling(file.getFileName() + ".pid")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
