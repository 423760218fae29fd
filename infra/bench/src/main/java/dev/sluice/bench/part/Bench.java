package dev.sluice.bench.part;

import dev.sluice.bench.Console;
import dev.sluice.bench.model.Costs;
import dev.sluice.bench.report.Rows;
import dev.sluice.bench.stack.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What the parts share. */
public final class Bench implements AutoCloseable {
  private @Nullable Servers servers;
  private final Console console;
  private final Rows rows;
  private final boolean quick;

  private OptionalDouble dispatchRate = OptionalDouble.empty();
  private Optional<Costs> costs = Optional.empty();

  public Bench(Console console, Rows rows, boolean quick) {
    this.console = console;
    this.rows = rows;
    this.quick = quick;
  }

  /** Started by the first part that needs them. */
  synchronized Servers servers() {
    if (servers == null) {
      try {
        servers = new Servers(Files.createTempDirectory("sluice-bench-"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return servers;
  }

  @Override
  public synchronized void close() {
    if (servers != null) {
      servers.close();
      servers = null;
    }
  }

  Console console() {
    return console;
  }

  Rows rows() {
    return rows;
  }

  boolean quick() {
    return quick;
  }

  /** Of a quick run, and of one that has time. */
  int either(int quickly, int thoroughly) {
    return quick ? quickly : thoroughly;
  }

  /** Items a second from Kafka to started, on the in-memory server. */
  OptionalDouble dispatchRate() {
    return dispatchRate;
  }

  void dispatchRate(double perSecond) {
    dispatchRate = OptionalDouble.of(perSecond);
  }

  /** Of the dispatcher's steps, once they are measured. */
  Optional<Costs> costs() {
    return costs;
  }

  void costs(Costs measured) {
    costs = Optional.of(measured);
  }
}
