package dev.sluice.bench;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the user asked for.
 *
 * @param name of the JSON file
 * @param quick fewer and shorter runs
 */
record Options(String name, List<String> parts, boolean quick, boolean guard, boolean help) {
  /**
   * What takes milliseconds comes late, when the JVM has compiled what the parts before it used;
   * the rate at half of which latency is measured is dispatch's, so that comes first.
   */
  static final List<String> ALL =
      List.of(
          "dispatch",
          "queue",
          "backlog",
          "growth",
          "services",
          "scaling",
          "start",
          "neighbour",
          "slot_reuse",
          "latency",
          "model");

  /** By name; {@code costs} is what the model begins with, so in {@code all} it would be twice. */
  static final List<String> PARTS = Stream.concat(ALL.stream(), Stream.of("costs")).toList();

  static final List<String> QUICK = List.of("dispatch", "latency", "slot_reuse");

  static final String USAGE =
      """
      usage: ./sluice bench [quick|all|PART] [--guard]
        quick       %s; at most 3 minutes (the default)
        all         every part; at most 40 minutes
        PART        one of %s
        --guard     exit code 1 when a row is worse than half its goal, or half of what was reached so far, in every run
      Starts Kafka, PostgreSQL and Temporal of its own, on free ports of this machine. The table is printed, the same
      is in target/bench/NAME.json.
      """
          .formatted(String.join(", ", QUICK), String.join(", ", PARTS));

  /** A sentence for the user. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  static Options parse(List<String> arguments) {
    Optional<String> name = Optional.empty();
    boolean guard = false;
    boolean help = false;
    for (String argument : arguments) {
      switch (argument) {
        case "--guard" -> guard = true;
        case "-h", "--help", "help" -> help = true;
        default -> {
          if (argument.startsWith("-") || name.isPresent()) {
            throw new Wrong("There is no option " + argument + "; try --help.");
          }
          name = Optional.of(argument);
        }
      }
    }
    String chosen = name.orElse("quick");
    return new Options(chosen, parts(chosen), chosen.equals("quick"), guard, help);
  }

  private static List<String> parts(String name) {
    return switch (name) {
      case "quick" -> QUICK;
      case "all" -> ALL;
      default -> {
        if (!PARTS.contains(name)) {
          throw new Wrong(
              "There is no benchmark %s; give quick, all or one of %s."
                  .formatted(name, String.join(", ", PARTS)));
        }
        yield List.of(name);
      }
    };
  }
}
