package dev.sluice.chaos.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** PostgreSQL outlives the JVM that started it, so a kill must reach both. */
final class PostgresPart extends ProcessPart {
  private final Path data;

  PostgresPart(List<String> command, Path data, Path log, BooleanSupplier ready) {
    super("postgres", command, log, ready);
    this.data = data;
  }

  /** An immediate stop without a checkpoint: the next start recovers from the log. */
  @Override
  public void kill() {
    try {
      String first = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
      Signals.send("QUIT", Long.parseLong(first.strip()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    super.kill();
  }
}
