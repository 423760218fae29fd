package dev.sluice.chaos;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What the user asked for.
 *
 * @param data where everything is kept; empty for a temporary folder that goes after a good run
 */
record Options(
    Scenario scenario,
    double minutes,
    long seed,
    String protocol,
    double rate,
    Optional<Path> data,
    boolean help) {

  enum Scenario {
    CHAOS,
    SHORT,
    FAILOVER,
    OUTAGE
  }

  static final String USAGE =
      """
      usage: ./sluice chaos [--minutes N] [--seed S] [--scenario chaos|short|failover|outage]
                            [--protocol classic|consumer] [--rate R] [--data DIR]
        --minutes N   how long load and faults go on (default 5)
        --seed S      of faults and load; the same seed gives the same faults (default: a new one, printed)
        --scenario    chaos: all faults in turn; short: five of them, once; failover: kill -9 of a
                      dispatcher, six times; outage: Temporal away for 3 minutes with 1,000 waiting,
                      and how fast they go afterwards
        --protocol    of the dispatchers' consumer group (default: classic for an even seed, consumer for an odd one)
        --rate R      requests a second, of all workspaces together (default 20)
        --data DIR    keeps data and logs there
      Kafka, PostgreSQL, Temporal, ingest, two dispatchers and recovery are started as processes of their own, on free
      ports of this machine. Exit code 0: nothing lost, twice, over capacity or failed.
      """;

  /** A sentence for the user. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    Wrong(String message) {
      super(message);
    }
  }

  static Options parse(List<String> arguments) {
    Deque<String> left = new ArrayDeque<>(arguments);
    Scenario scenario = Scenario.CHAOS;
    double minutes = 5;
    long seed = ThreadLocalRandom.current().nextLong(1_000_000);
    Optional<String> protocol = Optional.empty();
    double rate = 20;
    Optional<Path> data = Optional.empty();
    boolean help = false;
    while (!left.isEmpty()) {
      String option = left.pop();
      switch (option) {
        case "--scenario" -> scenario = scenario(value(option, left));
        case "--minutes" -> minutes = positive(option, value(option, left));
        case "--seed" -> seed = seed(value(option, left));
        case "--protocol" -> protocol = Optional.of(protocol(value(option, left)));
        case "--rate" -> rate = positive(option, value(option, left));
        case "--data" -> data = Optional.of(Path.of(value(option, left)));
        case "-h", "--help" -> help = true;
        default -> throw new Wrong("There is no option " + option + "; try --help.");
      }
    }
    String bySeed = seed % 2 == 0 ? "classic" : "consumer";
    return new Options(scenario, minutes, seed, protocol.orElse(bySeed), rate, data, help);
  }

  private static String value(String option, Deque<String> left) {
    if (left.isEmpty()) {
      throw new Wrong(option + " needs a value; --help shows how.");
    }
    return left.pop();
  }

  private static Scenario scenario(String text) {
    return switch (text) {
      case "chaos" -> Scenario.CHAOS;
      case "short" -> Scenario.SHORT;
      case "failover" -> Scenario.FAILOVER;
      case "outage" -> Scenario.OUTAGE;
      default ->
          throw new Wrong("--scenario is " + text + "; give chaos, short, failover or outage.");
    };
  }

  private static String protocol(String text) {
    if (!text.equals("classic") && !text.equals("consumer")) {
      throw new Wrong("--protocol is " + text + "; give classic or consumer.");
    }
    return text;
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Wrong("--seed is " + text + "; give a whole number, for example 42.");
    }
  }

  private static double positive(String option, String text) {
    try {
      double number = Double.parseDouble(text);
      if (number > 0 && Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers out of range.
    }
    throw new Wrong(option + " is " + text + "; give a number above zero, for example 15.");
  }
}
