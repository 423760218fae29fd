package dev.sluice.local;

import dev.sluice.servers.CannotStart;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/**
 * {@code ./sluice up} and {@code ./sluice infra}: runs in the foreground until it is asked to stop.
 * {@code ./sluice lag} asks what runs.
 */
public final class Main {
  private static final int STOPPED = 0;
  private static final int UNEXPECTED = 1;
  private static final int CANNOT_START = 2;

  private final Console console;
  private final Options options;

  private Main(Console console, Options options) {
    this.console = console;
    this.options = options;
  }

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out));
  }

  private static int run(List<String> arguments, PrintStream out) {
    if (!arguments.isEmpty() && arguments.getFirst().equals("lag")) {
      return LagTable.run(arguments.subList(1, arguments.size()), System.getenv(), out);
    }
    try {
      Options options = Options.parse(arguments, System.getenv());
      if (options.command() == Options.Command.HELP) {
        out.print(Options.USAGE);
        return STOPPED;
      }
      return new Main(new Console(out), options).run();
    } catch (CannotStart e) {
      System.err.println("sluice: " + e.getMessage());
      return CANNOT_START;
    }
  }

  private int run() {
    var stopAsked = onSignal();
    Path data = options.data().toAbsolutePath().normalize();
    try (var lock = DataLock.take(data)) {
      Path log = Logs.into(data, options.verbose());
      console.say("data in %s, log in %s".formatted(data, log));
      try (var stack = new Stack(console)) {
        return runUntil(stopAsked, stack, data);
      } catch (RuntimeException e) {
        return explain(e, log);
      } finally {
        console.say("stopped");
      }
    } catch (IOException e) {
      System.err.println(
          "sluice: the lock of " + data + " could not be given back: " + e.getMessage());
      return UNEXPECTED;
    }
  }

  private int runUntil(CompletableFuture<String> stopAsked, Stack stack, Path data) {
    boolean all = options.command() == Options.Command.UP;
    Services services = all ? new Services(options) : null;
    stack.startServers(new Servers(options, data));
    if (services != null) {
      stack.startServices(services);
    }
    List<Running> parts = stack.await();
    Readiness.await(parts);
    console.ready(parts);
    console.say("stopping: " + stopAsked.join());
    return STOPPED;
  }

  private int explain(RuntimeException failure, Path log) {
    LoggerFactory.getLogger(Main.class).error("cannot start", failure);
    System.err.println("sluice: " + StartFailure.sentence(failure, log));
    return CANNOT_START;
  }

  /** The first signal asks for an orderly stop, the second ends at once. */
  private static CompletableFuture<String> onSignal() {
    var asked = new CompletableFuture<String>();
    for (String name : List.of("INT", "TERM")) {
      Signal.handle(
          new Signal(name),
          signal -> {
            if (!asked.complete("SIG" + name)) {
              Runtime.getRuntime().halt(130);
            }
          });
    }
    return asked;
  }
}
