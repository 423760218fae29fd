package dev.sluice.local;

import dev.sluice.servers.CannotStart;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the user asked for: arguments win over the environment, the environment over defaults. */
record Options(
    Command command, Path data, boolean verbose, Map<Part, Integer> ports, GivenServers given) {

  enum Command {
    UP,
    INFRA,
    HELP
  }

  static final String USAGE =
      """
      usage: ./sluice up|infra [--data DIR] [-v] [--port-PART N]
        up          Kafka, PostgreSQL, Temporal, the three services and the worker, until Ctrl-C
        infra       Kafka, PostgreSQL and Temporal alone
        --data DIR  where everything is kept (default .sluice beside the launcher)
        -v          the log on the console too
        --port-PART N   another port, 0 for any free one; PART is one of postgres, kafka, temporal,
                        worker, recovery, dispatcher, ingest (or SLUICE_PART_PORT in the environment)
      A server whose address is given (KAFKA_BOOTSTRAP_SERVERS, DATABASE_URL, TEMPORAL_ADDRESS) is
      used and not started.
      """;

  static Options parse(List<String> arguments, Map<String, String> environment) {
    Deque<String> left = new ArrayDeque<>(arguments);
    Command command = command(left.poll());
    Path data = Path.of(".sluice");
    boolean verbose = false;
    Map<Part, Integer> ports = portsOf(environment);
    while (!left.isEmpty()) {
      String option = left.pop();
      switch (option) {
        case "--data" -> data = Path.of(value(option, left));
        case "-v", "--verbose" -> verbose = true;
        case "-h", "--help" -> command = Command.HELP;
        default -> {
          Part part = partOf(option);
          ports.put(part, port(option, value(option, left)));
        }
      }
    }
    return new Options(command, data, verbose, ports, GivenServers.from(environment));
  }

  int port(Part part) {
    return ports.getOrDefault(part, part.defaultPort());
  }

  private static Command command(@Nullable String name) {
    return switch (name == null ? "help" : name) {
      case "up" -> Command.UP;
      case "infra" -> Command.INFRA;
      case "help", "-h", "--help" -> Command.HELP;
      default -> throw new CannotStart("There is no command " + name + "; try up, infra or help.");
    };
  }

  private static Map<Part, Integer> portsOf(Map<String, String> environment) {
    Map<Part, Integer> ports = new EnumMap<>(Part.class);
    for (Part part : Part.values()) {
      String port = environment.getOrDefault(part.portSetting(), "");
      if (!port.isBlank()) {
        ports.put(part, port(part.portSetting(), port));
      }
    }
    return ports;
  }

  private static Part partOf(String option) {
    for (Part part : Part.values()) {
      if (part.portOption().equals(option)) {
        return part;
      }
    }
    throw new CannotStart("There is no option " + option + "; ./sluice up --help lists them.");
  }

  private static String value(String option, Deque<String> left) {
    String value = left.poll();
    if (value == null) {
      throw new CannotStart(option + " needs a value; ./sluice up --help shows how.");
    }
    return value;
  }

  private static int port(String name, String text) {
    try {
      int port = Integer.parseInt(text.strip());
      if (port >= 0 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers out of range.
    }
    throw new CannotStart(
        "%s is %s; give it a port number, for example 18080, or 0 for any free one."
            .formatted(name, text));
  }
}
